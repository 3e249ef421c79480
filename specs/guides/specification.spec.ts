import { followGuide } from './guide.ts';

followGuide('specs/README.md');
