import { guide } from './guide.ts';

guide('crds/README.md').run();
