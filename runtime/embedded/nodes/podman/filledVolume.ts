import { chmodSync, chownSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { makeFolder } from '../../makeFolder.ts';

/** A file of a volume that is filled from objects. */
export interface File {
  readonly path: string;
  readonly content: Buffer | string;
  readonly mode: number;
}

const current = '..data';

/** Fills a volume in one step, as a kubelet does: whoever reads it sees all of the old files or all of the new ones. */
export function fill(folder: string, files: readonly File[], group: number | null): void {
  const fresh = `..${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const target = join(folder, fresh);
  openFolder(target);
  for (const { path, content, mode } of files) {
    const file = join(target, posix.join('/', path));
    for (const parent of parentsOf(path)) openFolder(join(target, parent));
    writeFileSync(file, content);
    chmodSync(file, group === null ? mode : mode | 0o040);
    if (group !== null) chownSync(file, 0, group);
  }
  const last = isLink(join(folder, current)) ? readlinkSync(join(folder, current)) : null;
  const next = join(folder, `${current}_next`);
  rmSync(next, { force: true });
  symlinkSync(fresh, next);
  renameSync(next, join(folder, current));
  const names = new Set(files.map(({ path }) => posix.join('/', path).split('/')[1] ?? ''));
  for (const name of names) {
    const link = join(folder, name);
    if (!isLink(link)) symlinkSync(posix.join(current, name), link);
  }
  for (const name of linksIn(folder)) if (!names.has(name)) rmSync(join(folder, name), { force: true });
  if (last !== null && last !== fresh) rmSync(join(folder, last), { recursive: true, force: true });
}

/** Whoever the container runs as may look into it, whatever this process keeps from others. */
function openFolder(path: string): void {
  makeFolder(path);
  chmodSync(path, 0o755);
}

/** The folders over a file of a volume, the outermost first. */
const parentsOf = (path: string): readonly string[] => {
  const parts = posix.join('/', path).split('/').slice(1, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const linksIn = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('..'));
