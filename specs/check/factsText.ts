type Look = (facts: unknown) => unknown;

const isPlain = (facts: unknown): facts is Readonly<Record<string, unknown>> =>
  typeof facts === 'object' && facts !== null;

/** The names of the facts that some code reads, found by running it. */
function namesRead(facts: unknown, looks: readonly Look[]): ReadonlySet<string> {
  const read = new Set<string>();
  if (!isPlain(facts)) return read;
  const watched = new Proxy(facts, {
    get(target, name) {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  for (const look of looks)
    try {
      look(watched);
    } catch {
      // What it read before it threw is what counts.
    }
  return read;
}

const longest = 200;

const shown = (value: unknown): string => {
  const bare = isPlain(value) && value['is'] === 'known' && 'value' in value ? value['value'] : value;
  return (JSON.stringify(bare) ?? 'undefined').slice(0, longest);
};

/** Facts for readers: relevant ones one per line, known ones as bare values; of the others only the names. */
export function factsText(facts: unknown, looks: readonly Look[]): string {
  if (!isPlain(facts)) return `    ${JSON.stringify(facts)}`;
  const read = namesRead(facts, looks);
  const names = Object.keys(facts);
  const first = names.filter((name) => read.size === 0 || read.has(name));
  const others = names.filter((name) => !first.includes(name));
  return [
    ...first.map((name) => `    ${name}: ${shown(facts[name])}`),
    ...(others.length === 0 ? [] : [`    … ${others.join(', ')}`]),
  ].join('\n');
}
