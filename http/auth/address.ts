import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that are never limited, because many people may share them (decision 30). */
const inside = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  inside.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inside.addSubnet(net, bits, 'ipv6');

/** An IPv4 address that is written as an IPv6 one counts as IPv4. */
const plain = (address: string): string =>
  address
    .trim()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

const isInside = (address: string): boolean => inside.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** The first four groups of an IPv6 address: one household or machine. */
function network(address: string): string {
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: gap }, () => '0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/**
 * What failed sign-ins of a client are counted under; null for an address that is never limited. Forwarded addresses
 * are believed only from a peer that is not public itself: the rightmost public one is what our own proxy saw.
 */
export function countedAddress(peer: string | undefined, forwarded: string | undefined): string | null {
  const near = plain(peer ?? '');
  if (isIP(near) === 0) return null;
  const seen = isInside(near) ? forwardedAddress(forwarded) : near;
  if (seen === null) return null;
  return isIPv6(seen) ? `${network(seen)}::/64` : seen;
}

const forwardedAddress = (forwarded: string | undefined): string | null =>
  (forwarded ?? '')
    .split(',')
    .map(plain)
    .findLast((address) => isIP(address) !== 0 && !isInside(address)) ?? null;

const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i;

/** Whether a Host header names this very machine. */
export const isLoopbackHost = (host: string | undefined): boolean => loopbackName.test(host ?? '');
