/**
 * What a request asks for, as path and query; null for what is no address. A proxy may send all of an address, of which
 * the host counts for nothing here: the Host header is what is checked.
 */
export function plainTarget(target: string): string | null {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
