import { join } from 'node:path';
import { boot } from './bootBundle.ts';

/** The file name of the bundle, set by the build. */
declare const CORE_BUNDLE: string;

boot(join(__dirname, CORE_BUNDLE));
