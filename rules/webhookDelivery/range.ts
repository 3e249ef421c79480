import { octetsOf } from './ip.ts';

export type AddressRange = 'local' | 'private' | 'public';

/** The first bytes of a network, and how many of their bits are significant. */
type Network = readonly [bytes: readonly number[], bits: number];

/** By the length of the address in bytes. The unspecified address reaches this host, so it counts as local. */
const networks: Readonly<Record<4 | 16, Readonly<Record<'local' | 'private', readonly Network[]>>>> = {
  4: {
    local: [
      [[127], 8],
      [[169, 254], 16],
      [[], 32],
    ],
    private: [
      [[10], 8],
      [[172, 16], 12],
      [[192, 168], 16],
      [[100, 64], 10],
      [[0], 8],
      [[224], 4],
    ],
  },
  16: {
    local: [
      [[], 127],
      [[0xfe, 0x80], 10],
    ],
    private: [
      [[0xfc], 7],
      [[0xff], 8],
    ],
  },
};

const isWithin =
  (octets: readonly number[]) =>
  ([bytes, bits]: Network): boolean =>
    octets.every((octet, index) => {
      const free = 8 - Math.min(Math.max(bits - index * 8, 0), 8);
      return octet >> free === (bytes[index] ?? 0) >> free;
    });

/** The range of an address; an unreadable one is refused like this host. */
export function rangeOf(address: string): AddressRange {
  const octets = octetsOf(address);
  if (octets === null) return 'local';
  const of = networks[octets.length === 4 ? 4 : 16];
  if (of.local.some(isWithin(octets))) return 'local';
  return of.private.some(isWithin(octets)) ? 'private' : 'public';
}
