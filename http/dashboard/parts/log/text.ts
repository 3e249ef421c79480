const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);

/** Colours and cursor movements, window titles, other escapes, and every control character except the tab. */
const unprintable = new RegExp(
  [
    String.raw`${escape}\[[0-?]*[ -/]*[@-~]`,
    String.raw`${escape}\][^${bell}${escape}]*(?:${bell}|${escape}\\)`,
    String.raw`${escape}.`,
    String.raw`(?!\t)\p{Cc}`,
  ].join('|'),
  'gu',
);

/** A line of a log without colours and cursor movements; a line rewritten in place keeps its last text. */
export function plainLine(line: string): string {
  const whole = line.replace(/\r+$/, '');
  return whole.slice(whole.lastIndexOf('\r') + 1).replace(unprintable, '');
}

const denied = /\b(?:no|0|without|zero) (?:errors?|failures?)\b/gi;
const failing = /\b(?:error|errors|fatal|panic|exception|failed|failure|cannot|denied)\b|\bE!|✗/i;

/** Whether a line reports an error. */
export const isError = (line: string): boolean => failing.test(line.replace(denied, ''));

/** Text as lines, without the empty one after the last line end. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(plainLine);
}
