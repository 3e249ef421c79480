/** The command line's name. */
export const programName = 'core';

/** A word of a command as a POSIX shell reads it. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** One step of a shell through a command: what is between words, in quotes, escaped, or as it is. */
const step = /(?<blank>\s+)|'(?<literal>[^']*)'|"(?<text>(?:[^"\\]|\\[^])*)"|\\(?<escaped>[^])|(?<plain>[^\s'"\\]+)/gy;

/** The words of a command as a POSIX shell divides it, without what it would fill in; null where a quote is not closed. */
export function wordsOf(command: string): readonly string[] | null {
  const words: string[] = [];
  let [word, isBegun, at] = ['', false, 0];
  for (const { 0: found, groups = {} } of command.matchAll(step)) {
    at += found.length;
    if (groups['blank'] === undefined) {
      const { literal, text, escaped, plain } = groups;
      word += literal ?? text?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '';
      isBegun = true;
    } else if (isBegun) {
      words.push(word);
      [word, isBegun] = ['', false];
    }
  }
  if (at < command.length) return null;
  return isBegun ? [...words, word] : words;
}
