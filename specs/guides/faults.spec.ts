import { followGuide } from './guide.ts';

followGuide('specs/faults/README.md');
