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

/** A day and a time as programs write them at the beginning of a line. */
const stamp = /^\[?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:\d\d)?\]?\s+/;
const sameMs = 2_000;

/** A line without the time that it begins with, where that is when it was written, which stands beside it already. */
export function untimed(text: string, writtenAt: string): string {
  const match = stamp.exec(text);
  if (!match) return text;
  const [whole, year, month, date, clock, , offset = 'Z'] = match;
  const at = Date.parse(`${year}-${month}-${date}T${clock}${offset}`);
  return Math.abs(at - Date.parse(writtenAt)) <= sameMs ? text.slice(whole.length) : text;
}
