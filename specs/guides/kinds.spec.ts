import { followGuide } from './guide.ts';

followGuide('crds/README.md');
