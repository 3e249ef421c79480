/**
 * Gives each shown row a place in the tree that it keeps while it is shown. Once the reader asks for other rows, new
 * ones take the places of those that left: elements are filled anew, which is far cheaper than making them. Otherwise
 * no row takes over what another one had, such as the focus.
 */
export function rowPlaces(): (keys: readonly string[], asked: string) => ReadonlyMap<string, number> {
  let before: ReadonlyMap<string, number> = new Map();
  let askedBefore = '';
  let next = 0;
  return (keys, asked) => {
    const shown = new Set(keys);
    const free = asked === askedBefore ? [] : [...before].filter(([key]) => !shown.has(key)).map(([, place]) => place);
    const taken = free.toSorted((a, b) => a - b).values();
    before = new Map(keys.map((key) => [key, before.get(key) ?? taken.next().value ?? next++]));
    askedBefore = asked;
    return before;
  };
}
