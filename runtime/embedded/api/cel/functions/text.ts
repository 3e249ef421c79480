/** The characters of a text; a text is counted in them, not in units of UTF-16. */
export const letters = (text: string): readonly string[] => Array.from(text);

const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** How many characters a text has. */
export const lengthOf = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);
