import type { Run } from '../command.ts';
import type { LogLine } from '../shapes.ts';
import { jsonText, logText, plain } from '../text/plain.ts';

/** What tells the copies of a service apart. */
const suffixOf = (pod: string): string => pod.slice(pod.lastIndexOf('-') + 1);

/** `HH:MM:SS <pod suffix> <text>`, in UTC. A pipe gets the text as it is. */
function lineText({ t, pod, line }: LogLine, isTerminal: boolean): string {
  const at = Date.parse(t);
  const time = Number.isNaN(at) ? '--:--:--' : new Date(at).toISOString().slice(11, 19);
  return `${time} ${plain(suffixOf(pod))} ${isTerminal ? logText(line) : line}\n`;
}

/** Lines of a log as they are printed. */
export function linesText({ globals, io }: Run, lines: readonly LogLine[]): string {
  const { isTerminal } = io.out;
  return lines.map((line) => (globals.json ? `${jsonText(line)}\n` : lineText(line, isTerminal))).join('');
}
