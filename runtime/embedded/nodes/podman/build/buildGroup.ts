import { existsSync } from 'node:fs';
import { readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { mostProcesses } from '../containerSpec.ts';
import { makeFolder } from '../../../makeFolder.ts';

/**
 * The control group that the commands of a recipe run in. Podman goes on with a build whose client left, so it is by this
 * group that a build is ended; it bounds how many processes a recipe may start, too.
 */
export interface BuildGroup {
  /** The parent that podman is told. */
  readonly parent: string;
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const prefix = 'core-build-';
const removals = 20;
const betweenMs = 50;

const groups = '/sys/fs/cgroup';
const isOneHierarchy = () => existsSync(join(groups, 'cgroup.controllers'));
/** Where processes are counted: in a hierarchy of its own with cgroup v1, in the only one with v2. */
const groupsFolder = () => (isOneHierarchy() ? groups : join(groups, 'pids'));

/** Makes the group of one build. `owner` tells builds of this server from those of others. */
export async function buildGroup(owner: string, build: string): Promise<BuildGroup> {
  const name = `${prefix}${owner}-${build}`;
  const folder = join(groupsFolder(), name);
  makeFolder(folder);
  // Absent where the machine does not count processes by group.
  await writeFile(join(folder, 'pids.max'), `${mostProcesses}`).catch(() => {});
  return { parent: `/${name}/run`, kill: () => killAll(folder), remove: () => removeAll(name) };
}

/** Ends the builds that a server of this owner left behind. */
export async function endBuilds(owner: string): Promise<void> {
  const names = (await readdir(groupsFolder())).filter((name) => name.startsWith(`${prefix}${owner}-`));
  for (const name of names) {
    await killAll(join(groupsFolder(), name));
    await removeAll(name);
  }
}

/** With cgroup v1 the group stands in every hierarchy. */
async function removeAll(name: string): Promise<void> {
  const folders = isOneHierarchy() ? [groups] : await foldersIn(groups);
  await Promise.all(folders.map((folder) => remove(join(folder, name))));
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

async function killAll(folder: string): Promise<void> {
  for (const inner of await foldersIn(folder)) await killAll(inner);
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  for (const id of text.split('\n').filter((line) => line !== '')) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** A group can be removed once the last of its processes is gone. */
async function remove(folder: string): Promise<void> {
  for (const inner of await foldersIn(folder)) await remove(inner);
  for (let tries = 0; tries < removals && existsSync(folder); tries += 1) {
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (isGone) return;
    await passed(betweenMs);
  }
}
