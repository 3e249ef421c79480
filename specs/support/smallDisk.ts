import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf } from './program.ts';

const marker = 'CORE_SPEC_MOUNTS';

/** Ways to a mount namespace of one's own, which ends with its processes: as root, or as a user who may be root in one. */
const ways = [
  ['--mount', '--propagation', 'private'],
  ['--mount', '--propagation', 'private', '--user', '--map-root-user'],
] as const;

const wayInside = () =>
  ways.find(
    (way) => spawnSync('unshare', [...way, 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' }).status === 0,
  );

/**
 * Runs this program once more where it may mount disks of its own, and ends with it. Returns in that second process, and
 * why not where the machine does not allow it.
 */
export function whereDisksAreOurs(program: string): string | null {
  if (process.env[marker] !== undefined) return null;
  const way = wayInside();
  if (!way) return 'no disk can be mounted here: neither root nor user namespaces';
  const { status } = spawnSync('unshare', [...way, process.execPath, ...programOf(new URL(program))], {
    stdio: 'inherit',
    env: { ...process.env, [marker]: '1' },
  });
  process.exit(status ?? 1);
}

/** A disk of a few megabytes. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves so many bytes free, or none. */
  readonly fill: (butForBytes?: number) => void;
  readonly free: () => void;
  readonly readOnly: (on: boolean) => void;
  readonly clean: () => void;
}

const blockBytes = 4_096;

/** Mounts a disk that is filled by a file on it. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'core-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'none', path]);
  const ballast = join(path, 'ballast');
  const free = () => rmSync(ballast, { recursive: true, force: true });
  return {
    path,
    fill: (butForBytes = 0) => {
      free();
      mkdirSync(ballast);
      writeUntilFull(join(ballast, 'spare'), butForBytes);
      writeUntilFull(join(ballast, 'rest'), Number.POSITIVE_INFINITY);
      rmSync(join(ballast, 'spare'));
    },
    free,
    readOnly: (on) => void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, path]),
    clean: () => {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(path: string, mostBytes: number): void {
  const file = openSync(path, 'w');
  try {
    for (let written = 0; written < mostBytes; written += blockBytes) writeSync(file, Buffer.alloc(blockBytes, 1));
    fsyncSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
