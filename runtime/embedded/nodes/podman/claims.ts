import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textAt } from '../../api/json.ts';
import { claimsOf, type Pod } from '../shapes.ts';
import { label } from './labels.ts';
import { type Libpod, unlessAbsent } from './libpod.ts';
import { groupOf, volumeNamed, volumeOf } from './volumes.ts';
import type { PodmanWorld } from './world.ts';

/** Makes the volumes of podman in which the claims of a pod keep their data, and gives them to the pod's group. */
export async function ensureClaims(world: PodmanWorld, pod: Pod): Promise<void> {
  const group = groupOf(pod);
  for (const claim of claimsOf(pod)) {
    const folder = await volumeFolder(world, pod, claim);
    if (group !== null && folder !== '') await giveTo(group, folder);
  }
}

/** Where a volume of podman is on this machine. */
export const volumePath = async (podman: Libpod, name: string): Promise<string> =>
  textAt(await podman.call({ method: 'GET', path: `/volumes/${name}/json` }), 'Mountpoint');

/** Where the volume of a claim is on this machine; one that is not there is made. */
async function volumeFolder({ store, podman, folders }: PodmanWorld, pod: Pod, claim: string): Promise<string> {
  const namespace = pod.metadata.namespace ?? '';
  const Name = volumeOf(store, namespace, claim, folders.id);
  if (Name === volumeNamed(folders.id, '')) throw new Error(`the claim ${claim} has no volume`);
  const found = await unlessAbsent(podman.call({ method: 'GET', path: `/volumes/${Name}/json` }));
  const Labels = { [label.cluster]: folders.id, [label.namespace]: namespace };
  const group = groupOf(pod);
  // With an owner named, podman does not give it to the one that the image has at the place of the mount.
  const owned = group === null ? {} : { Options: { o: `uid=0,gid=${group}` } };
  const volume =
    found ?? (await podman.call({ method: 'POST', path: '/volumes/create', body: { Name, Labels, ...owned } }));
  return textAt(volume, 'Mountpoint');
}

/** What is made in such a folder has its group. */
const setGroupId = 0o2000;
const folderMode = setGroupId | 0o770;
const fileMode = 0o660;

/** A volume whose root is the group's already was given to it as a whole, as its last step. */
async function giveTo(group: number, root: string): Promise<void> {
  const { gid, mode } = await lstat(root);
  if (gid === group && (mode & folderMode) === folderMode) return;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await giveOne(group, path);
  }
  await giveOne(group, root);
}

async function giveOne(group: number, path: string): Promise<void> {
  const stat = await lstat(path);
  await lchown(path, stat.uid, group);
  if (!stat.isSymbolicLink()) await chmod(path, stat.mode | (stat.isDirectory() ? folderMode : fileMode));
}
