import { playing } from './played.ts';

const spec = playing(['pods']);

spec.run();
