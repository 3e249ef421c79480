import { join } from 'node:path';
import { boot } from './bootBundle.ts';
import { bundleOf } from './bundle.ts';

boot(join(__dirname, `${bundleOf(process.argv.slice(2), process.env)}.bundle.js`));
