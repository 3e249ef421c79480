import { guide } from './guide.ts';

guide('http/README.md').run();
