const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** The first characters of a text, up to a count. */
export const firstCharacters = (text: string, count: number): string => Array.from(text).slice(0, count).join('');

/** A name entered by a person, trimmed; null where it is empty, too long or not printable. */
export function printableName(text: string, maxCharacters: number): string | null {
  const name = text.trim();
  const isShort = firstCharacters(name, maxCharacters) === name;
  return name !== '' && isShort && !unprintable.test(text) ? name : null;
}
