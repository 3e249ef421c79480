import ipaddr from 'ipaddr.js';

const { IPv4, IPv6 } = ipaddr;
type IPv4 = InstanceType<typeof IPv4>;
type IPv6 = InstanceType<typeof IPv6>;

export type AddressRange = 'local' | 'private' | 'public';

/** The only part of IPv6 that is assigned to the public (RFC 4291). */
const globalUnicast = [IPv6.parse('2000::'), 3] as const;
/** IPv6 networks that embed an IPv4 address, with its byte offset. */
const carriers: readonly (readonly [network: IPv6, bits: number, at: number])[] = [
  [IPv6.parse('::'), 96, 12],
  [IPv6.parse('::ffff:0:0'), 96, 12],
  [IPv6.parse('::ffff:0:0:0'), 96, 12],
  [IPv6.parse('64:ff9b::'), 96, 12],
  [IPv6.parse('2002::'), 16, 2],
];

/** Addresses of this host or its link; `unspecified` is all of 0.0.0.0/8, which reaches this host. */
const ownRanges: readonly string[] = ['loopback', 'linkLocal', 'unspecified'];

function ofIPv4(address: IPv4): AddressRange {
  const range = address.range();
  if (ownRanges.includes(range)) return 'local';
  return range === 'unicast' ? 'public' : 'private';
}

const carriedIn = (address: IPv6): IPv4 | null => {
  const [, , at] = carriers.find(([network, bits]) => address.match(network, bits)) ?? [];
  return at === undefined ? null : new IPv4(address.toByteArray().slice(at, at + 4));
};

function ofIPv6(address: IPv6): AddressRange {
  const range = address.range();
  if (ownRanges.includes(range)) return 'local';
  const carried = carriedIn(address);
  if (carried !== null) return ofIPv4(carried);
  return range === 'unicast' && address.match(...globalUnicast) ? 'public' : 'private';
}

/** Whether a text is an address by itself: IPv4 only as four decimal parts. */
export const isAddress = (text: string): boolean =>
  text.includes(':') ? ipaddr.isValid(text) : IPv4.isValidFourPartDecimal(text);

/** The range of an address, of which only `public` may be called by default; an unreadable one counts as this host. */
export function rangeOf(text: string): AddressRange {
  if (!isAddress(text)) return 'local';
  const address = ipaddr.parse(text);
  return address instanceof IPv4 ? ofIPv4(address) : ofIPv6(address);
}
