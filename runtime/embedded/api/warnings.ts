/** The `Warning` headers of one response; no text of a caller makes them invalid, or more or longer than a real server sends. */
export interface Warnings {
  readonly add: (text: string) => void;
  readonly headers: () => readonly string[];
}

const mostCharacters = 4 * 1_024;
/** Applies to each text once all of them together are too long. */
const mostOfOne = 256;

/** Collects warnings as the API server does: each text once, texts with control characters left out. */
export function createWarnings(): Warnings {
  const texts = new Set<string>();
  let written = 0;
  let isCutting = false;

  function put(text: string) {
    const shown = isCutting ? firstCharacters(text, mostOfOne).join('') : text;
    texts.add(shown);
    written += lengthOf(shown);
  }

  return {
    add(text) {
      const isFull = isCutting && written >= mostCharacters;
      if (isFull || text === '' || /\p{Cc}/u.test(text) || texts.has(text)) return;
      if (isCutting || written + lengthOf(text) <= mostCharacters) return put(text);
      isCutting = true;
      written = 0;
      const before = [...texts];
      texts.clear();
      [...before, text].forEach(put);
    },
    headers: () => [...texts].map(headerOf),
  };
}

/** Node writes a character of a header as one byte, so each byte of the UTF-8 text becomes a character. */
const headerOf = (text: string): string => Buffer.from(`299 - "${text.replace(/[\\"]/g, '\\$&')}"`).toString('latin1');

/** A character has at most two code units: longer texts need no exact count. */
const lengthOf = (text: string): number => firstCharacters(text, mostCharacters + 1).length;

const firstCharacters = (text: string, count: number): readonly string[] =>
  Array.from(text.slice(0, 2 * count)).slice(0, count);
