type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether two values are the same as JSON: an undefined field is absent, an undefined item is null. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return !Array.isArray(other) && isSameFields(one as Fields, other as Fields);
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => isSameJson(item ?? null, other[at] ?? null));

function isSameFields(one: Fields, other: Fields): boolean {
  let left = 0;
  for (const name of Object.keys(other)) if (other[name] !== undefined) left++;
  for (const name of Object.keys(one)) {
    const value = one[name];
    if (value === undefined) continue;
    const another = other[name];
    if (!Object.hasOwn(other, name) || (value !== another && !isSameJson(value, another))) return false;
    left--;
  }
  return left === 0;
}
