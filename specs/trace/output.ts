/** What a question is answered: the lines to print, and the exit code (1: something is wrong, 2: asked in vain). */
export interface Output {
  readonly lines: readonly string[];
  readonly exit: 0 | 1 | 2;
}

/** An answer to a question that makes no sense: why, in one line. */
export const refused = (...lines: readonly string[]): Output => ({ lines, exit: 2 });

/** A long text on one line of the terminal. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** A word with its count: `1 row`, `2 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
