// Runs a bundled spec under the name of its source: `node specs/launch.mjs <source> <bundle>`.
import { pathToFileURL } from 'node:url';

const [node, , source, bundle] = process.argv;
process.argv = [node, source];
await import(pathToFileURL(bundle).href);
