/** The command that the dashboard sends; any other runs as it is given. */
export const isPlainShell = (command: readonly string[]): boolean => command.length === 1 && command[0] === 'sh';

/** Prints the shell's process id in a private operating system command, which terminals do not display. */
const script = 'printf \'\\033]7197;core;%s\\007\' "$$"; command -v bash >/dev/null 2>&1 && exec bash -l; exec sh';

/** The environment of a shell names its holder, followed by a character that no holder has. */
const variable = 'CORE_TERMINAL';
const named = (holder: string): string => `${variable}=${holder.replaceAll(/[^a-z0-9/-]/g, '')};`;

/** A login `bash` if the image has one, else `sh` (document 000, CoreConsoleSession). */
export const startCommand = (command: readonly string[], holder: string): readonly string[] =>
  isPlainShell(command) ? ['sh', '-c', `export '${named(holder)}'; ${script}`] : command;

/** Ends a shell like the end of its terminal: runtimes keep it running when its client disconnects. */
export const hangUpCommand = (pid: number): readonly string[] => ['sh', '-c', `kill -HUP ${pid}`];

/** The same for a shell of which only the holder is known, by its environment and that of its children. */
export const hangUpLeftCommand = (holder: string): readonly string[] => [
  'sh',
  '-c',
  `for p in /proc/[0-9]*; do grep -qsF '${named(holder)}' "$p/environ" && kill -HUP "\${p#/proc/}"; done 2>/dev/null; :`,
];

const begin = '\u001b]7197;core;';
const end = '\u0007';
const longestId = 10;

/** The mark in the output of a shell: its position, or where it may begin. */
export type Marked =
  | { readonly is: 'mark'; readonly pid: number; readonly at: number; readonly bytes: number }
  | { readonly is: 'unfinished'; readonly at: number }
  | { readonly is: 'none' };

/** Finds the mark; input before the shell runs is echoed before it. */
export function markIn(output: string): Marked {
  const at = output.indexOf(begin);
  if (at < 0) return beginningOf(output);
  const rest = output.slice(at + begin.length, at + begin.length + longestId + 1);
  const ends = rest.indexOf(end);
  const digits = ends < 0 ? rest : rest.slice(0, ends);
  if (!/^\d*$/.test(digits) || digits.length > longestId) return { is: 'none' };
  if (ends < 0) return { is: 'unfinished', at };
  return digits === '' ? { is: 'none' } : { is: 'mark', pid: Number(digits), at, bytes: begin.length + ends + 1 };
}

/** Whether the output ends with the start of a mark. */
function beginningOf(output: string): Marked {
  const at = output.lastIndexOf(begin.charAt(0));
  return at >= 0 && begin.startsWith(output.slice(at)) ? { is: 'unfinished', at } : { is: 'none' };
}
