const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The names by which a rule reaches a field: a word of CEL's own may be written as it is, and between underscores. */
export const celNames = (name: string): readonly string[] =>
  reserved.has(name) ? [name, celName(name)] : [celName(name)];

function celName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replace(/__/g, '__underscores__')
    .replace(/\./g, '__dot__')
    .replace(/-/g, '__dash__')
    .replace(/\//g, '__slash__');
}
