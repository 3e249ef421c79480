import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { root } from '../support/product.ts';

/** A folder as a reader has it after `git clone` and `npm ci`, with a home of its own beside it. */
export interface Checkout {
  readonly folder: string;
  readonly home: string;
  readonly remove: () => void;
}

/** The samples are copies, in which the ports of an installation are put in; everything else is the project's. */
export function makeCheckout(): Checkout {
  const place = mkdtempSync(join(tmpdir(), 'core-guide-'));
  const folder = join(place, 'core');
  const home = join(place, 'home');
  mkdirSync(home, { recursive: true });
  cpSync(join(root, 'crds'), join(folder, 'crds'), { recursive: true });
  for (const name of readdirSync(root))
    if (name !== 'crds' && !name.startsWith('.')) symlinkSync(join(root, name), join(folder, name));
  makeRepository(folder);
  return { folder, home, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/** Guides push "from any repository of yours": the folder itself is one, with a recipe in it. */
function makeRepository(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=reader', '-c', 'user.email=reader@example.org', ...args], { cwd: folder });
  writeFileSync(join(folder, 'Buildfile'), 'FROM scratch\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'Buildfile');
  git('commit', '--quiet', '--message', 'Begin');
}
