import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { BadData, isReaderElsewhere, restoreBackup, writeBackup } from '../../runtime/embedded/index.ts';
import { BadSetting, defaults } from './settings.ts';

/** `core backup <file>` and `core restore <file>`: returns one line that says what was done. */
export async function runBackup(command: 'backup' | 'restore', args: readonly string[]): Promise<string> {
  const { file, dataDir } = asked(command, args);
  if (command === 'backup' && (await isReaderElsewhere(dataDir))) return inAnotherProcess();
  const { objects } = await (command === 'backup' ? writeBackup(dataDir, file) : restoreBackup(file, dataDir));
  return command === 'backup'
    ? `${objects} objects of ${dataDir} are in ${file}`
    : `${objects} objects of ${file} are in ${dataDir}`;
}

/** Runs the same command as another process. */
async function inAnotherProcess(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, ...process.argv.slice(1)]);
    return stdout.trimEnd();
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trimEnd() : '';
    throw said === '' ? error : new BadData(said);
  }
}

function asked(command: string, args: readonly string[]) {
  try {
    const options = { 'data-dir': { type: 'string' as const } };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file = '', ...more] = positionals;
    if (file === '' || more.length > 0) throw new Error(`usage: core ${command} FILE [--data-dir PATH]`);
    const dataDir = values['data-dir'] || process.env['CORE_DATA_DIR'] || defaults['data-dir'];
    return { file: resolve(file), dataDir: resolve(dataDir) };
  } catch (why) {
    throw new BadSetting(why instanceof Error ? why.message : String(why));
  }
}
