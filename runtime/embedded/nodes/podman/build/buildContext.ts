import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { BuildFailure } from './buildFailure.ts';

/** The folder that is built, with where the recipe lies in the archive of it. */
export interface BuildContext {
  readonly folder: string;
  readonly recipe: string;
  /** A folder with files that the archive holds besides; null where there are none. */
  readonly besides: string | null;
  readonly remove: () => Promise<void>;
}

/** Folder and recipe on this machine, and how the container calls them. */
export interface BuildPaths {
  readonly root: string;
  readonly folder: string;
  readonly recipe: string;
  readonly shown: { readonly folder: string; readonly recipe: string };
}

const ignoreFiles = ['.containerignore', '.dockerignore'];
const besideName = '.core-recipe';
const isInside = (folder: string, path: string) => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
};
const realOf = (path: string) => realpath(path).catch(() => null);

/** Podman reads recipe and ignore files on the machine itself, so a link in the source must not lead out of it. */
export async function buildContext({ root, folder, recipe, shown }: BuildPaths): Promise<BuildContext> {
  const top = await realpath(root);
  const real = await realOf(folder);
  if (real === null || !(await stat(real)).isDirectory())
    throw new BuildFailure(`there is no folder ${shown.folder} in the repository`);
  if (!isInside(top, real)) throw new BuildFailure(`${shown.folder} leads out of the repository`);
  const file = await realOf(recipe);
  if (file === null || !(await stat(file)).isFile())
    throw new BuildFailure(`there is no ${shown.recipe} in the repository${await others(real)}`);
  if (!isInside(top, file)) throw new BuildFailure(`${shown.recipe} leads out of the repository`);
  for (const name of ignoreFiles) {
    const ignore = await realOf(join(real, name));
    if (ignore !== null && !isInside(real, ignore))
      throw new BuildFailure(`${shown.folder}/${name} leads out of its folder`);
  }
  return isInside(real, file)
    ? { folder: real, recipe: relative(real, file), besides: null, remove: async () => {} }
    : besideContext(real, file);
}

/** Names the recipes that are there, for a build that looks for another one. */
async function others(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^(buildfile|containerfile|dockerfile)(\.|$)/i.test(name));
  return names.length > 0 ? `; there is ${names.toSorted().join(', ')}` : '';
}

/** A recipe outside of the folder travels beside it, and is ignored so that no `COPY` takes it along. */
async function besideContext(folder: string, file: string): Promise<BuildContext> {
  const besides = await mkdtemp(join(tmpdir(), 'core-build-'));
  const texts = await Promise.all(ignoreFiles.map((name) => readFile(join(folder, name), 'utf8').catch(() => null)));
  const ignored = texts.find((text) => text !== null) ?? '';
  const unlessThere = texts[0] === null ? [ignoreFiles[0]] : [];
  await writeFile(join(besides, besideName), await readFile(file));
  await writeFile(join(besides, '.containerignore'), [ignored, besideName, ...unlessThere, ''].join('\n'));
  return { folder, recipe: besideName, besides, remove: () => rm(besides, { recursive: true, force: true }) };
}

/** The archive of a context, as it is read. Links stay links. */
export function archiveOf({ folder, besides }: BuildContext): Readable {
  const beside = besides === null ? [] : ['-C', besides, besideName, '.containerignore'];
  const child = spawn('tar', ['-c', '-f', '-', '-C', folder, '.', ...beside], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.on('error', (why) => child.stdout?.destroy(why));
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-1024)));
  child.once('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new BuildFailure(`reading the source failed: ${said.trim()}`));
  });
  child.stdout.once('close', () => child.kill());
  return child.stdout;
}
