import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CommandFailure, exits } from '../exits.ts';
import type { Io } from '../io.ts';
import { type ConfigFile, configIn } from './file.ts';
import { locked } from './lock.ts';
import { configPath } from './path.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const failed = (message: string) => new CommandFailure(exits.otherError, message);

/** Where the file is, or the failure of every command that there is no place for it. */
function pathIn({ env, platform }: Pick<Io, 'env' | 'platform'>): string {
  const path = configPath(env, platform);
  if (path === null) throw failed('could not find a configuration directory (set CORE_CONFIG)');
  return path;
}

function readFrom(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw failed(`${path} cannot be read: ${errorMessage(error)}`);
  }
  const found = configIn(text);
  if (typeof found === 'string') throw failed(`${path} is not valid: ${found}`);
  return found;
}

/** The saved logins; none where the file is not there. */
export const readConfig = (io: Pick<Io, 'env' | 'platform'>): ConfigFile => readFrom(pathIn(io));

/** Of a link the file that it leads to, so that the link stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Folder by folder: node's recursive way tries for ever where a file system has no place for one, as below `/proc`. */
function makeMissing(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another command may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

/** Makes the folder unreadable for other users: a folder that the program created, or its default one. */
function makeFolder(folder: string, isOwn: boolean): void {
  const isNew = !isFolder(folder);
  makeMissing(folder);
  if (isNew || isOwn) chmodSync(folder, 0o700);
}

/** Replaces a file atomically: readers see the old or the new content, never a part. */
function replace(path: string, text: string): void {
  const written = `${path}.${process.pid}.new`;
  try {
    const file = openSync(written, 'w', 0o600);
    try {
      fchmodSync(file, 0o600);
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw failed(`${path} could not be written: ${errorMessage(error)}`);
  }
}

/** Reads, changes and writes the saved logins as one; what the change throws leaves the file as it was. */
export async function changeConfig(io: Io, change: (file: ConfigFile) => ConfigFile): Promise<ConfigFile> {
  const named = pathIn(io);
  const path = targetOf(named);
  try {
    makeFolder(dirname(path), !io.env['CORE_CONFIG'] && path === named);
  } catch (error) {
    throw failed(`${dirname(path)} cannot be made: ${errorMessage(error)}`);
  }
  return locked(`${path}.lock`, io.clock, () => {
    const changed = change(readFrom(path));
    replace(path, `${JSON.stringify(changed, null, 2)}\n`);
    return changed;
  }).catch((error: unknown) => {
    throw error instanceof CommandFailure ? error : failed(`${path} could not be written: ${errorMessage(error)}`);
  });
}
