import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Origin } from '../../rules/share.ts';

/** Addresses that are never limited, because many people may share them (decision 30). */
const privateRanges = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
] as const;

const widthOf = (family: number): number => (family === 4 ? 32 : 128);

/** Whether a text is an address, or a range of them such as 10.0.0.0/8. */
export function isRange(text: string): boolean {
  const [net = '', bits, ...more] = text.split('/');
  const family = isIP(net);
  const isWidth = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widthOf(family));
  return family !== 0 && isWidth && more.length === 0;
}

/** Whether an address is in one of the given ranges. */
type Within = (address: string) => boolean;

function within(ranges: readonly string[]): Within {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits = `${widthOf(isIP(net))}`] = range.split('/');
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** An IPv4 address that is mapped into IPv6 counts as IPv4. */
const plain = (address: string): string =>
  address
    .trim()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

const isPrivate = within(privateRanges);

/** The first four groups of an IPv6 address, which one household or machine has. */
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

/** One IPv4 address, or the network of an IPv6 one that is not private. */
const counted = (address: string): string =>
  isIPv6(address) && !isPrivate(address) ? `${network(address)}::/64` : address;

/** The wide network that a counted address is in, which reveals only where it is from. */
export const widerNetwork = (address: string): string => {
  const of = address.includes(':') ? ':' : '.';
  const [first, second] = address.split(of);
  return of === ':' ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
};

/** Whoever sent a request. */
export interface Client extends Origin {
  /** The key of the client's failed sign-ins; null for an address that is never limited. */
  readonly limited: string | null;
}

const nobody: Client = { peer: 'unknown', address: 'unknown', limited: null };

/**
 * Identifies the sender of a request from the address of the peer and from the forwarded addresses. Only trusted
 * proxies are believed: the client is the rightmost forwarded address that is not a trusted proxy itself.
 */
export function clientsBehind(trustedProxies: readonly string[] = privateRanges) {
  const isTrusted = within(trustedProxies);
  return (peer: string | undefined, forwarded: string | undefined): Client => {
    const near = plain(peer ?? '');
    if (isIP(near) === 0) return nobody;
    const client = isTrusted(near) ? (behind(forwarded, isTrusted) ?? near) : near;
    const address = counted(client);
    return { peer: counted(near), address, limited: isPrivate(client) ? null : address };
  };
}

/** When all of them are trusted proxies, the furthest counts: a private client behind a proxy is not the proxy. */
function behind(forwarded: string | undefined, isTrusted: Within): string | undefined {
  const addresses = (forwarded ?? '')
    .split(',')
    .map(plain)
    .filter((address) => isIP(address) !== 0);
  return addresses.findLast((address) => !isTrusted(address)) ?? addresses[0];
}

const loopbackName = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i;

/** Whether a Host header names this machine itself. */
export const isLoopbackHost = (host: string | undefined): boolean => loopbackName.test(host ?? '');
