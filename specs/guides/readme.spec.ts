import { followGuide } from './guide.ts';

followGuide('README.md');
