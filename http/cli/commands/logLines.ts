import type { Run } from '../command.ts';
import type { LogLine } from '../shapes.ts';
import { jsonText, logText, plain } from '../text/plain.ts';

/** What tells the copies of a service apart. */
const suffixOf = (pod: string): string => pod.slice(pod.lastIndexOf('-') + 1);

const inUtc = /^\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

/** The time of day in UTC, which the API writes. */
function timeText(t: string): string {
  const [, time] = inUtc.exec(t) ?? [];
  if (time !== undefined) return time;
  const at = Date.parse(t);
  return Number.isNaN(at) ? '--:--:--' : new Date(at).toISOString().slice(11, 19);
}

/** `HH:MM:SS <pod suffix> <text>`. A pipe gets the text as it is. */
const lineText = ({ t, pod, line }: LogLine, isTerminal: boolean): string =>
  `${timeText(t)} ${plain(suffixOf(pod))} ${isTerminal ? logText(line) : line}\n`;

/** Lines of a log as they are printed. */
export function linesText({ globals, io }: Run, lines: readonly LogLine[]): string {
  const { isTerminal } = io.out;
  return lines.map((line) => (globals.json ? `${jsonText(line)}\n` : lineText(line, isTerminal))).join('');
}
