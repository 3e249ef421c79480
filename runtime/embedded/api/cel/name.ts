const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The names by which a rule reaches a field: a word of CEL's own may be written as it is, and between underscores. */
export function celNames(name: string): readonly string[] {
  const escaped = celName(name);
  if (!/^[A-Za-z_]\w*$/.test(escaped)) return [];
  return reserved.has(name) ? [name, escaped] : [escaped];
}

function celName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name
    .replace(/__/g, '__underscores__')
    .replace(/\./g, '__dot__')
    .replace(/-/g, '__dash__')
    .replace(/\//g, '__slash__');
}

const signs: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/** The field that a rule means by a name. */
export function fieldOfName(name: string): string {
  if (!name.includes('__')) return name;
  const word = /^__(.+)__$/.exec(name)?.[1];
  if (word !== undefined && reserved.has(word)) return word;
  return name.replace(/__(underscores|dot|dash|slash)__/g, (found, sign: string) => signs[sign] ?? found);
}
