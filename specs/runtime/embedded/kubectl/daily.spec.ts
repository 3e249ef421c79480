import { playing } from './played.ts';

const spec = playing(['daily', 'cluster', 'deletion']);

spec.run();
