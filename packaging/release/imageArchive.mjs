// The image of a release, as an archive that every tool of containers reads.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { archive } from './archive.mjs';

/**
 * Builds the last stage of the Dockerfile over files that are there already, with `buildah`, which needs no daemon.
 * @param {{
 *   root: string, tree: string, tag: string, base: string | undefined, scratch: string, file: string, epoch: number
 * }} given the checkout, what the image holds, the tag of the release, another base image, a folder for what buildah
 *   keeps, the archive to write, and the time of everything in it (seconds)
 */
export function writeImageArchive({ root, tree, tag, base, scratch, file, epoch }) {
  const context = join(scratch, 'context');
  mkdirSync(context);
  cpSync(tree, join(context, 'image'), { recursive: true });
  const layout = join(scratch, 'layout');
  const kept = [
    '--root',
    join(scratch, 'containers'),
    '--runroot',
    join(scratch, 'running'),
    '--storage-driver',
    'vfs',
  ];
  const built = spawnSync(
    'buildah',
    [
      ...kept,
      'build',
      '--isolation=chroot',
      '--quiet',
      '--format=oci',
      `--timestamp=${epoch}`,
      `--build-context=build=${context}`,
      `--build-arg=RELEASE=${tag}`,
      ...(base === undefined ? [] : [`--build-arg=BASE=${base}`]),
      `--file=${join(root, 'Dockerfile')}`,
      `--tag=oci:${layout}:core-platform:${tag.slice(1)}`,
      root,
    ],
    { encoding: 'utf8' },
  );
  if (built.status !== 0) throw new Error(`buildah: ${built.stderr.trim()}`);
  archive({ folder: layout, names: ['blobs', 'index.json', 'oci-layout'], file, epoch });
}
