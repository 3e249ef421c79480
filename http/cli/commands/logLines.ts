import type { Run } from '../command.ts';
import type { LogLine } from '../shapes.ts';
import { jsonText, logText, plain } from '../text/plain.ts';

let [knownPod, knownSuffix] = ['', ''];
/** The end of a pod's name, which distinguishes copies; cached, because consecutive lines are mostly of one pod. */
function suffixOf(pod: string): string {
  if (pod !== knownPod) [knownPod, knownSuffix] = [pod, plain(pod.slice(pod.lastIndexOf('-') + 1))];
  return knownSuffix;
}

const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The time of day in UTC, which the API writes. */
function timeText(t: string): string {
  if (inUtc.test(t)) return t.slice(11, 19);
  const at = Date.parse(t);
  return Number.isNaN(at) ? '--:--:--' : new Date(at).toISOString().slice(11, 19);
}

/** `HH:MM:SS <pod suffix> <text>`. A pipe gets the text as it is. */
const lineText = ({ t = '', pod = '', line }: LogLine, isTerminal: boolean): string =>
  `${timeText(t)} ${suffixOf(pod)} ${isTerminal ? logText(line) : line}\n`;

/** Lines of a log as they are printed. */
export function linesText({ globals, io }: Run, lines: readonly LogLine[]): string {
  const { isTerminal } = io.out;
  return lines.map((line) => (globals.json ? `${jsonText(line)}\n` : lineText(line, isTerminal))).join('');
}
