import { createHash } from 'node:crypto';

/** JSON with sorted keys and without absent fields: the same value always gives the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Lower-case hex SHA-256 of a value's canonical JSON. */
export const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** The cache is cleared beyond this many names. */
const maxNames = 20_000;
const ofNames = new Map<string, string>();

/** The hash of a name, cached because every pass over its object needs it. */
export function hashOfName(name: string): string {
  const known = ofNames.get(name);
  if (known !== undefined) return known;
  if (ofNames.size >= maxNames) ofNames.clear();
  const hash = hashOf(name);
  ofNames.set(name, hash);
  return hash;
}
