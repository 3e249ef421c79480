import { readFileSync } from 'node:fs';

declare const CORE_VERSION: string | undefined;

/** Built in where the program is bundled; from source it is read where it is kept. */
const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};

/** The version of this release. */
export const version: string = typeof CORE_VERSION === 'undefined' ? readVersion() : CORE_VERSION;
