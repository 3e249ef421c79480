import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from './until.ts';

/** What one spec of a run has made for all of them. */
export interface Made {
  readonly folder: string;
  /** What its maker said of it. */
  readonly said: string;
}

/** Makes something once for this run of specs, by whoever asks first; null where no run of specs keeps a folder. */
export async function madeOnce(name: string, make: (folder: string) => Promise<string>): Promise<Made | null> {
  const bundles = process.env['CORE_SPEC_BUNDLES'];
  if (bundles === undefined) return null;
  const home = join(bundles, 'made', name);
  const [folder, said] = [join(home, 'folder'), join(home, 'said')];
  if (isMine(home)) {
    mkdirSync(folder);
    writeFileSync(said, await make(folder), { flush: true });
  }
  await until(() => existsSync(said) && readFileSync(said, 'utf8') !== '', `${name} is made for this run`);
  return { folder, said: readFileSync(said, 'utf8') };
}

/** Whether this process made the folder. */
function isMine(home: string): boolean {
  mkdirSync(dirname(home), { recursive: true });
  try {
    mkdirSync(home);
    return true;
  } catch {
    return false;
  }
}
