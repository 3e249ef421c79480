import { guide } from './guide.ts';

guide('specs/README.md').run();
