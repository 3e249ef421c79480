import { followGuide } from './guide.ts';

followGuide('http/README.md');
