import { playing } from './played.ts';

const spec = playing(['objects', 'server-side-apply', 'access']);

spec.run();
