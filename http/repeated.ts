const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

/**
 * A name that an object of well-formed JSON gives twice, or null. Readers differ in which of the two they take, so that
 * one before us could have checked what we then do not read.
 */
export function repeatedName(json: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let last = '';
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) {
      const name = JSON.parse(last) as string;
      if (seen.has(name)) return name;
      seen.add(name);
    }
    last = token;
  }
  return null;
}
