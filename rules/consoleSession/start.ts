/** The command that the dashboard sends; any other runs as it is given. */
export const isPlainShell = (command: readonly string[]): boolean => command.length === 1 && command[0] === 'sh';

/** Tells the process id, which the shell keeps, in an operating system command of ours that no terminal shows. */
const script = 'printf \'\\033]7197;core;%s\\007\' "$$"; command -v bash >/dev/null 2>&1 && exec bash -l; exec sh';

/** A login `bash` where the image has one, else `sh` (document 000, CoreConsoleSession). */
export const startCommand = (command: readonly string[]): readonly string[] =>
  isPlainShell(command) ? ['sh', '-c', script] : command;

/** Ends a shell as the end of its terminal would: runtimes leave it running when its client goes. */
export const hangUpCommand = (pid: number): readonly string[] => ['sh', '-c', `kill -HUP ${pid}`];

const begin = '\u001b]7197;core;';
const end = '\u0007';
const longestId = 10;

/** What the first output of a shell is: its mark, of so many bytes, or maybe the beginning of it, or something else. */
export type Marked =
  | { readonly is: 'mark'; readonly pid: number; readonly bytes: number }
  | { readonly is: 'unfinished' }
  | { readonly is: 'none' };

export function markAt(output: string): Marked {
  if (!output.startsWith(begin.slice(0, output.length))) return { is: 'none' };
  if (output.length <= begin.length) return { is: 'unfinished' };
  const rest = output.slice(begin.length, begin.length + longestId + 1);
  const ends = rest.indexOf(end);
  const digits = ends < 0 ? rest : rest.slice(0, ends);
  if (!/^\d*$/.test(digits) || digits.length > longestId) return { is: 'none' };
  if (ends < 0) return { is: 'unfinished' };
  return digits === '' ? { is: 'none' } : { is: 'mark', pid: Number(digits), bytes: begin.length + ends + 1 };
}
