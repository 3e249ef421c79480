import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  closeToOthers,
  lockDataDir,
  lockName,
  makeDataDir,
  namesIn,
  removeEmpty,
  unfinishedRestore,
} from '../../runtime/embedded/index.ts';
import { logLine } from '../../runtime/services/log.ts';
import { type HeldDataDir, holdDataDir } from './heldDataDir.ts';
import type { Running } from './running.ts';
import { BadSetting } from './settings.ts';

/** The first files of a start, which identify the folder as a data directory. */
const firstFiles = [lockName, 'git-app.json', 'cloud', 'objects', 'journal', 'metrics', 'endpoints.json'];
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

type Start = (held: HeldDataDir) => Promise<Running>;

/** Locks the data directory for a program, which releases it when it stops; a failed start leaves it unchanged. */
export async function inDataDir(path: string, start: Start): Promise<Running> {
  const dataDir = resolve(path);
  const created = makeDataDir(dataDir);
  try {
    checkOwn(dataDir, namesIn(dataDir));
    const unlock = await lockDataDir(dataDir);
    return await started(dataDir, start, unlock);
  } catch (why) {
    removeEmpty(created);
    throw why;
  }
}

async function started(dataDir: string, start: Start, unlock: () => void): Promise<Running> {
  const before = namesIn(dataDir);
  const held = holdDataDir(dataDir, (message, fields) => logLine('error', message, fields));
  try {
    // Checked again, because the previous holder of the lock may have left other files behind.
    checkOwn(dataDir, before);
    sayRights(dataDir);
    const running = await start(held);
    return {
      ...running,
      stop: async () => {
        await running.stop();
        held.release();
        unlock();
      },
    };
  } catch (why) {
    held.release();
    for (const name of namesIn(dataDir))
      if (!before.includes(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
    unlock();
    throw why;
  }
}

function sayRights(dataDir: string): void {
  const open = closeToOthers(dataDir);
  const closed = open.filter(({ failure }) => failure === null).map(({ path }) => path);
  if (closed.length > 0) logLine('warn', 'restricted file permissions to their owner', { paths: closed });
  for (const { path, failure } of open)
    if (failure !== null) logLine('warn', 'failed to restrict file permissions', { path, error: failure });
}

/** Refuses a folder with other files and without data of ours. */
function checkOwn(dataDir: string, all: readonly string[]): void {
  const names = all.filter((name) => name !== ofTheDisk);
  if (names.includes(unfinishedRestore))
    throw new BadSetting(`${dataDir} holds a restore that did not finish: empty it and restore again`);
  const hasData = statSync(join(dataDir, 'objects', 'objects.mdb'), { throwIfNoEntry: false }) !== undefined;
  if (names.length === 0 || hasData) return;
  const external = names.filter((name) => !ownFiles.has(name)).sort();
  if (external.length === 0 && names.some((name) => firstFiles.includes(name))) return;
  const shown = external.length === 0 ? names : external;
  const list = shown.slice(0, shownMost).join(', ') + (shown.length > shownMost ? ', …' : '');
  throw new BadSetting(`${dataDir} holds other files (${list}) and no data of Core: choose an empty --data-dir`);
}
