import type { Output } from '../io.ts';

/** Characters that turn the direction of writing. */
const turning = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
/** These and control characters: a terminal would obey them. */
const controls = new RegExp(`[\\p{Cc}${turning}]`, 'gu');
const known: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return known[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`);
}

/** Text from the API, safe to print on a terminal. */
export const plain = (text: string): string => text.replace(controls, escaped);

/** Text that was not written for this program: a terminal gets it with lines and tabs alone, a pipe as it is. */
export const externalText = (
  { io }: { readonly io: { readonly out: Pick<Output, 'isTerminal'> } },
  text: string,
): string => (io.out.isTerminal ? text.replace(/[^\n\t]+/g, plain) : text);

/** The same over several lines, such as an explanation. */
export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n');

const escape = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
const colours = new RegExp(`^${escape}\\[[\\d;:]*m$`);
/** An escape with parameters, a text that a terminal takes whole, any other escape, or a character that is obeyed. */
const sequences = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^${bell}${escape}]*(?:${bell}|${escape}\\\\)?|[ -/]*[0-~])|(?!\\t)[\\p{Cc}${turning}]`,
  'gu',
);

/** A line of a log for a terminal: its colours stay, and every other escape goes. */
export const logText = (line: string): string => {
  const kept = line.replace(sequences, (found) => (colours.test(found) ? found : ''));
  return kept.includes(escape) ? `${kept}${escape}[0m` : kept;
};

/** JSON has escaped the others, and its own lines stay. */
const controlsInJson = new RegExp(`[\\x7f-\\x9f${turning}]`, 'g');

/** JSON as it is printed. What a terminal would obey is escaped in it, which JSON allows. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    controlsInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
