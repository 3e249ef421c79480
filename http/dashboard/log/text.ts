// CSI and OSC sequences, single escapes, and every control character but the tab.
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what it removes
const unprintable =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A line of a log without colours and cursor movements; of a line rewritten in place, what was written last. */
export function plainLine(line: string): string {
  const whole = line.replace(/\r+$/, '');
  return whole.slice(whole.lastIndexOf('\r') + 1).replace(unprintable, '');
}

const denied = /\b(?:no|0|without|zero) (?:errors?|failures?)\b/gi;
const failing = /\b(?:error|errors|fatal|panic|exception|failed|failure|cannot|denied)\b|\bE!|✗/i;

/** Whether a line tells of something that went wrong. */
export const isError = (line: string): boolean => failing.test(line.replace(denied, ''));

/** Text as lines, without the empty one after the last line end. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(plainLine);
}
