import { BlockList, isIP } from 'node:net';

/** A domain with everything under it; one dot before and one behind it count for nothing. */
function coversName(entry: string, host: string): boolean {
  const domain = entry.toLowerCase().replace(/\.$/, '').replace(/^\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** An address, or a range such as `10.0.0.0/8`; a range of no bits is the address alone. */
function coversAddress(entry: string, host: string): boolean {
  const [address = '', bits = '0', ...more] = entry.split('/');
  const family = isIP(host);
  const allBits = family === 4 ? 32 : 128;
  if (isIP(address) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > allBits || more.length > 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(address, Number(bits) || allBits, type);
  return range.check(host, type);
}

/**
 * Whether NO_PROXY excepts an address, as curl reads it: `*` alone, or names and addresses between commas and spaces. A
 * name never covers an address, and an entry has no port and no pattern.
 */
export function isExcepted({ hostname }: URL, list: string): boolean {
  if (list === '*') return true;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const covers = isIP(host) === 0 ? coversName : coversAddress;
  return list.split(/[\s,]+/).some((entry) => covers(entry, host));
}
