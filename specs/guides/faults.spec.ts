import { guide } from './guide.ts';

guide('specs/faults/README.md').run();
