import { readFileSync } from 'node:fs';

declare const CORE_VERSION: string | undefined;

/** Set at bundling; from source it is read from package.json. */
const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};

/** The version of this release. */
export const version: string = typeof CORE_VERSION === 'undefined' ? readVersion() : CORE_VERSION;
