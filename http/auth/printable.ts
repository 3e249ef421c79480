const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** The first so many characters of a text. */
export const firstCharacters = (text: string, count: number): string => Array.from(text).slice(0, count).join('');

/** A name that a person gave: without the space around it; null where it is empty, too long or not printable. */
export function printableName(text: string, mostCharacters: number): string | null {
  const name = text.trim();
  const isShort = firstCharacters(name, mostCharacters) === name;
  return name !== '' && isShort && !unprintable.test(text) ? name : null;
}
