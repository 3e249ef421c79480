// Archives that hold the same bytes whenever and wherever they are made.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const largestBytes = 1 << 29;

/**
 * Writes what of a folder is named as an archive, compressed where the file ends in `.tgz`: files by name, of nobody, all
 * of one moment.
 * @param {{ folder: string, names: readonly string[], file: string, epoch: number }} given `epoch` in seconds
 */
export function archive({ folder, names, file, epoch }) {
  const { status, stdout, stderr } = spawnSync(
    'tar',
    [
      '--create',
      '--format=ustar',
      '--sort=name',
      `--mtime=@${epoch}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rw,go=rX',
      '-C',
      folder,
      ...names,
    ],
    { maxBuffer: largestBytes },
  );
  if (status !== 0) throw new Error(`tar: ${String(stderr).trim()}`);
  writeFileSync(file, file.endsWith('.tgz') ? gzipSync(stdout, { level: 9 }) : stdout);
}
