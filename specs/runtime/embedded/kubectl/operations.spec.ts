import { playing } from './played.ts';

const spec = playing(['generators', 'operations']);

spec.run();
