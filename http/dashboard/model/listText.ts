/** How a list stands in a field: as words on one line, or one item a line, which may hold blanks and commas. */
export type ListKind = 'words' | 'lines';

export const listText = (kind: ListKind, items: readonly string[]): string => items.join(kind === 'lines' ? '\n' : ' ');

/** The list that a field holds; lines and words that are empty are none. */
export const listIn = (kind: ListKind, text: string): readonly string[] =>
  text.split(kind === 'lines' ? '\n' : /[\s,]+/).filter((item) => item.trim() !== '');
