import { parseArgs } from 'node:util';
import { serverCommands } from '../cli/serverCommands.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The bundle that runs a command: each loads only what it needs. */
export function bundleOf([first = '', second = '', ...others]: readonly string[], env: Variables = {}): string {
  const word = first === 'help' ? second : first;
  if (!serverCommands.some((one) => one === word)) return 'cli';
  return first === 'start' && roleOf([second, ...others], env) === 'cluster' ? 'standalone' : 'server';
}

/** What the settings will say, without a check. */
function roleOf(args: readonly string[], env: Variables): string | undefined {
  const { role } = parseArgs({ args: [...args], options: { role: { type: 'string' } }, strict: false }).values;
  return (typeof role === 'string' && role) || env['CORE_ROLE'];
}
