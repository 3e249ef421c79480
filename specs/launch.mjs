// Runs a bundled program under the name of its source: `node specs/launch.mjs <source> <bundle> [<arguments>]`.
import { pathToFileURL } from 'node:url';

const [node, , source, bundle, ...rest] = process.argv;
process.argv = [node, source, ...rest];
await import(pathToFileURL(bundle).href);
