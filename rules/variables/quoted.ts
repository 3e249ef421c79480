/** A value in quotes, and the position after it; null when unclosed. */
export interface Quoted {
  readonly value: string;
  /** The part in which other readers expand `$`: none of a literal. */
  readonly filled: string;
  readonly end: number | null;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Parses a quoted value at a position; null when none begins there. */
export function quotedValue(text: string, at: number): Quoted | null {
  const quote = text[at];
  if (quote !== '"' && quote !== "'" && quote !== '`') return null;
  const end = closing(text, at, quote);
  if (end === -1) return { value: '', filled: '', end: null };
  const inner = text.slice(at + 1, end);
  if (quote !== '"') return { value: inner.replaceAll(`\\${quote}`, quote), filled: '', end: end + 1 };
  const value = inner.replaceAll(/\\([nrt"\\$])/g, (_, char: string) => escapes[char] ?? char);
  return { value, filled: inner, end: end + 1 };
}

function closing(text: string, at: number, quote: string): number {
  for (let end = text.indexOf(quote, at + 1); end !== -1; end = text.indexOf(quote, end + 1))
    if (!isEscaped(text, end, at) || (quote !== '"' && isLastOfLine(text, end))) return end;
  return -1;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first - 1 > from && text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

/** `'C:\dir\'` ends here, `'it\'s'` goes on: outside double quotes a backslash is one, unless more of the value follows. */
function isLastOfLine(text: string, at: number): boolean {
  let next = at + 1;
  while (text[next] === ' ' || text[next] === '\t') next++;
  return next >= text.length || text[next] === '\n' || text[next] === '#';
}
