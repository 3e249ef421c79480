import { mkdirSync, readdirSync, rmSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unfinishedRestore } from '../../runtime/embedded/backup/restore.ts';
import { lockDataDir } from './lock.ts';
import type { Running } from './running.ts';
import { BadSetting } from './settings.ts';

/** What a start writes before anything else that tells whose folder it is. */
const firstFiles = ['lock', 'git-app.json', 'objects', 'journal', 'metrics', 'endpoints.json'];
const laterFiles = [
  'git',
  'git-app.json.new',
  'endpoints.json.new',
  'kubeconfig',
  'operator.kubeconfig',
  'pki',
  'token',
];
const ownFiles = new Set([...firstFiles, ...laterFiles]);
const ofTheDisk = 'lost+found';
const shownMost = 3;

/** Takes the data directory for a program, which gives it back when it stops; a start that fails leaves it as it was. */
export async function inDataDir(path: string, start: () => Promise<Running>): Promise<Running> {
  const dataDir = resolve(path);
  const made = makeDataDir(dataDir);
  const before = namesIn(dataDir);
  const leaveAsItWas = () => {
    for (const name of namesIn(dataDir))
      if (!before.includes(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
    removeEmpty(made);
  };
  let unlock: () => void;
  try {
    checkOwn(dataDir, before);
    unlock = lockDataDir(dataDir);
  } catch (why) {
    removeEmpty(made);
    throw why;
  }
  try {
    const { stop } = await start();
    return {
      stop: async () => {
        await stop();
        unlock();
      },
    };
  } catch (why) {
    unlock();
    leaveAsItWas();
    throw why;
  }
}

const isDir = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Folder by folder: node's recursive way says `not found` whatever stands in the way, or tries for ever. Returns those
 * that were made, the innermost first.
 */
function makeDataDir(path: string): readonly string[] {
  try {
    if (isDir(path)) return [];
    const above = dirname(path) === path ? [] : makeDataDir(dirname(path));
    mkdirSync(path);
    return [path, ...above];
  } catch (error) {
    if (error instanceof BadSetting) throw error;
    throw new BadSetting(`the data directory cannot be made: ${wordsOf(error)}`);
  }
}

function namesIn(dataDir: string): readonly string[] {
  try {
    return readdirSync(dataDir);
  } catch (error) {
    throw new BadSetting(`the data directory cannot be read: ${wordsOf(error)}`);
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // Somebody put something into it meanwhile.
  }
}

/** Refuses a folder that holds what somebody else keeps there, and no data of ours. */
function checkOwn(dataDir: string, all: readonly string[]): void {
  const names = all.filter((name) => name !== ofTheDisk);
  if (names.includes(unfinishedRestore))
    throw new BadSetting(`${dataDir} holds a restore that did not finish: empty it and restore again`);
  const hasData = statSync(join(dataDir, 'objects', 'objects.mdb'), { throwIfNoEntry: false }) !== undefined;
  if (names.length === 0 || hasData) return;
  const strange = names.filter((name) => !ownFiles.has(name)).sort();
  if (strange.length === 0 && names.some((name) => firstFiles.includes(name))) return;
  const shown = strange.length === 0 ? names : strange;
  const list = shown.slice(0, shownMost).join(', ') + (shown.length > shownMost ? ', …' : '');
  throw new BadSetting(`${dataDir} holds other files (${list}) and no data of Core: choose an empty --data-dir`);
}
