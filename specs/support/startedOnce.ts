import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** What the first start of a run of specs left behind. */
export interface Started {
  readonly dataDir: string;
  /** The session of its admin. */
  readonly cookie: string;
}

/** The first start of this run of specs, made by whoever asks first; null where no run of specs keeps a folder. */
export async function startedOnce(start: (dataDir: string) => Promise<string>): Promise<Started | null> {
  const bundles = process.env['CORE_SPEC_BUNDLES'];
  if (bundles === undefined) return null;
  const home = join(bundles, 'product');
  const [dataDir, cookie] = [join(home, 'data'), join(home, 'cookie')];
  if (isMine(home)) writeFileSync(cookie, await start(dataDir), { flush: true });
  await until(() => existsSync(cookie) && readFileSync(cookie, 'utf8') !== '', 'the first start of this run is made');
  return { dataDir, cookie: readFileSync(cookie, 'utf8') };
}

/** Whether this process made the folder. */
function isMine(home: string): boolean {
  try {
    mkdirSync(home);
    return true;
  } catch {
    return false;
  }
}
