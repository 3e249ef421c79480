import { serveObjects } from './objects.ts';
import { serveSqlite } from './sqlite.ts';

/** The one program of an image that fakes servers that are not available here; it takes their arguments. */
const [word, ...words] = process.argv.slice(2);
process.on('SIGTERM', () => process.exit(0));
await (word === 'server' ? serveObjects(words) : serveSqlite([word ?? '', ...words]));
