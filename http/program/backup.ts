import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { BadData, isReaderElsewhere, loadBackups, ranWithPodman } from '../../runtime/embedded/index.ts';
import { dataDirOf } from './dataDirOf.ts';
import { BadSetting } from './settings.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** `core backup <file>` and `core restore <file>`: returns what was done, and what a backup leaves out. */
export async function runBackup(command: 'backup' | 'restore', args: readonly string[]): Promise<string> {
  const { file, dataDir } = argumentsOf(command, args);
  if (command === 'backup' && (await isReaderElsewhere(dataDir))) return inAnotherProcess();
  const { writeBackup, restoreBackup } = await loadBackups();
  const { objects } = await (command === 'backup' ? writeBackup(dataDir, file) : restoreBackup(file, dataDir));
  if (command === 'restore') return `${objects} objects of ${file} are in ${dataDir}`;
  const leftOut = ranWithPodman(dataDir) ? '\nwith podman it has neither images nor volumes' : '';
  return `${objects} objects of ${dataDir} are in ${file}${leftOut}`;
}

/** Runs the same command as another process. */
async function inAnotherProcess(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, ...process.argv.slice(1)]);
    return stdout.trimEnd();
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trimEnd() : '';
    throw output === '' ? error : new BadData(output);
  }
}

function argumentsOf(command: string, args: readonly string[]) {
  try {
    const options = { 'data-dir': { type: 'string' as const } };
    const { positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file = '', ...more] = positionals;
    if (file === '' || more.length > 0) throw new Error(`usage: core ${command} FILE [--data-dir PATH]`);
    return { file: resolve(file), dataDir: dataDirOf(args, process.env) };
  } catch (error) {
    throw new BadSetting(errorMessage(error));
  }
}
