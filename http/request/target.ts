/**
 * The path and query of a request; null for an invalid address. A proxy may send an absolute address, whose host is
 * ignored here: the Host header is checked instead.
 */
export function plainTarget(target: string): string | null {
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
