import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usualDataDir = '.core';

/** The data directory of a command, by the same flag and variable in each. Other flags are not checked here. */
export function dataDirOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): string {
  const options = { 'data-dir': { type: 'string' as const } };
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const { 'data-dir': given } = values;
  return resolve((typeof given === 'string' && given) || env['CORE_DATA_DIR'] || usualDataDir);
}
