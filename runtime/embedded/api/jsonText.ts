/** What reading a JSON text comes to: its value, or why there is none in the words of the API server. */
export type JsonReading = { readonly value: unknown; readonly why?: undefined } | { readonly why: string };

export function readJson(text: string): JsonReading {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (why) {
    return { why: syntaxError(why instanceof Error ? why.message : '') };
  }
}

function syntaxError(message: string): string {
  const [, unexpected] = /Unexpected token '?(.)'?/.exec(message) ?? [];
  return unexpected === undefined
    ? 'unexpected end of JSON input'
    : `invalid character '${unexpected}' looking for beginning of value`;
}

/** The type of a JSON value as Go names it. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
