import { guide } from './guide.ts';

guide('README.md').run();
