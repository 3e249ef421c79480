import { serveObjects } from './objects.ts';
import { serveSqlite } from './sqlite.ts';

/** The one program of an image that stands in for servers that cannot be had here; its arguments are theirs. */
const [word, ...words] = process.argv.slice(2);
process.on('SIGTERM', () => process.exit(0));
await (word === 'server' ? serveObjects(words) : serveSqlite([word ?? '', ...words]));
