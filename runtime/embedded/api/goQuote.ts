/** Control characters that Go, and CEL like it, writes by a letter. */
export const namedEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** What Go does not print as it is: quotes, backslashes, and all that shows nothing but the plain space. */
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A text in double quotes as Go's `%q` writes it; what is no Unicode becomes U+FFFD, as on the way through UTF-8. */
export const goQuote = (text: string): string => `"${Buffer.from(text).toString().replace(escaped, escapeOf)}"`;

function escapeOf(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  const digits = (count: number) => code.toString(16).padStart(count, '0');
  if (code < 0x80) return namedEscapes[character] ?? `\\x${digits(2)}`;
  return code < 0x10000 ? `\\u${digits(4)}` : `\\U${digits(8)}`;
}
