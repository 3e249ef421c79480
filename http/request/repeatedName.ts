const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

/**
 * A name that well-formed JSON repeats in one object, or null. Parsers differ in which value they take, so a proxy
 * could have checked another value than the one we read.
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
