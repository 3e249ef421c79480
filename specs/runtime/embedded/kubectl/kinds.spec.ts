import { playing } from './played.ts';

const spec = playing(['kinds', 'refusals', 'definitions']);

spec.run();
