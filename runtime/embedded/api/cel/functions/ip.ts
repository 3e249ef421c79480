import { isIPv4, isIPv6 } from 'node:net';
import { EvaluationError, Opaque } from '../evaluate/values.ts';
import type { Functions } from './signature.ts';

/** An address of a host by its 32 or 128 bits. */
class Ip extends Opaque {
  override readonly typeName = 'net.IP';
  readonly bits: bigint;
  readonly width: 32 | 128;
  constructor(bits: bigint, width: 32 | 128) {
    super();
    this.bits = bits;
    this.width = width;
  }
  override equals(other: Opaque): boolean {
    return other instanceof Ip && other.width === this.width && other.bits === this.bits;
  }
}

/** The addresses that begin alike. */
class Cidr extends Opaque {
  override readonly typeName = 'net.CIDR';
  readonly ip: Ip;
  readonly length: number;
  constructor(ip: Ip, length: number) {
    super();
    this.ip = ip;
    this.length = length;
  }
  override equals(other: Opaque): boolean {
    return other instanceof Cidr && other.length === this.length && other.ip.equals(this.ip);
  }
}

const mapped = 0xffffn;

function bitsOf(text: string): Ip | null {
  if (isIPv4(text)) return new Ip(octets(text), 32);
  if (!isIPv6(text)) return null;
  const [, head = text, last = ''] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const ending = last === '' ? '' : `${(octets(last) >> 16n).toString(16)}:${(octets(last) & 0xffffn).toString(16)}`;
  const [left = '', right] = `${head}${ending}`.split('::');
  const [front, back] = [groups(left), groups(right ?? '')];
  const gap = right === undefined ? 0 : 8 - front.length - back.length;
  const all = [...front, ...Array<string>(gap).fill('0'), ...back];
  return new Ip(
    all.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n),
    128,
  );
}

const groups = (text: string) => (text === '' ? [] : text.split(':'));
const octets = (text: string) => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
const quoted = (text: string) => JSON.stringify(text);

/** An address, or why a text is none. */
function parseIp(text: string): Ip | string {
  if (/%/.test(text) && isIPv6(text.replace(/%.+$/, '')))
    return `IP address ${quoted(text)} with zone value is not allowed`;
  const found = bitsOf(text);
  if (found === null)
    return `IP Address ${quoted(text)} parse error during conversion from string: ParseAddr(${quoted(text)}): unable to parse IP`;
  return isMapped(found) ? `IPv4-mapped IPv6 address ${quoted(text)} is not allowed` : found;
}

const isMapped = ({ bits, width }: Ip) => width === 128 && bits >> 32n === mapped;

function parseCidr(text: string): Cidr | string {
  const error = 'network address parse error during conversion from string: ';
  const [, address = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const ip = bitsOf(address);
  if (ip === null || Number(length) > ip.width)
    return `${error}${error}netip.ParsePrefix(${quoted(text)}): ${ip === null && address !== '' ? `ParseAddr(${quoted(address)}): unable to parse IP` : address === '' ? "no '/'" : 'prefix length out of range'}`;
  if (isMapped(ip)) return `${error}IPv4-mapped IPv6 address ${quoted(text)} is not allowed`;
  return new Cidr(ip, Number(length));
}

function must<T>(found: T | string): T {
  if (typeof found === 'string') throw new EvaluationError(found);
  return found;
}

/** An address in its canonical form: the longest run of zeros is left out. */
function ipText({ bits, width }: Ip): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((by) => (bits >> by) & 255n).join('.');
  const all = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & mapped).toString(16));
  const runs = [...all.join(':').matchAll(/(?<![^:])0(?::0)+(?![^:])/g)];
  const longest = runs.reduce((best, [run]) => (run.length > best.length ? run : best), '');
  if (longest === '') return all.join(':');
  const at = runs.find(([run]) => run === longest)?.index ?? 0;
  const text = all.join(':');
  return `${text.slice(0, at).replace(/:$/, '')}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}

const prefixOf = ({ bits, width }: Ip, length: number) => bits >> BigInt(width - length);
const masked = ({ ip, length }: Cidr) =>
  new Cidr(new Ip(prefixOf(ip, length) << BigInt(ip.width - length), ip.width), length);
const containsIp = ({ ip, length }: Cidr, other: Ip) =>
  ip.width === other.width && prefixOf(ip, length) === prefixOf(other, length);
const containsCidr = (cidr: Cidr, other: Cidr) => containsIp(cidr, other.ip) && cidr.length <= other.length;

const within = (network: string) => {
  const cidr = must(parseCidr(network));
  return (ip: Ip) => containsIp(cidr, ip);
};
const either = (four: string, six: string) => {
  const [ofFour, ofSix] = [within(four), within(six)];
  return (ip: Ip) => ofFour(ip) || ofSix(ip);
};
const isUnspecified = ({ bits }: Ip) => bits === 0n;
const isLoopback = either('127.0.0.0/8', '::1/128');
const isLinkLocalMulticast = either('224.0.0.0/24', 'ff02::/16');
const isLinkLocalUnicast = either('169.254.0.0/16', 'fe80::/10');
const isMulticast = either('224.0.0.0/4', 'ff00::/8');
const isBroadcast = within('255.255.255.255/32');

/** Functions over addresses of hosts. */
export const ips: Functions = {
  'ip(string): net.IP': (text: string) => must(parseIp(text)),
  'isIP(string): bool': (text: string) => typeof parseIp(text) !== 'string',
  'ip.isCanonical(string): bool': (text: string) => ipText(must(parseIp(text))) === text,
  'string(net.IP): string': ipText,
  'net.IP.family(): int': ({ width }: Ip) => (width === 32 ? 4n : 6n),
  'net.IP.isUnspecified(): bool': isUnspecified,
  'net.IP.isLoopback(): bool': isLoopback,
  'net.IP.isLinkLocalMulticast(): bool': isLinkLocalMulticast,
  'net.IP.isLinkLocalUnicast(): bool': isLinkLocalUnicast,
  'net.IP.isGlobalUnicast(): bool': (ip: Ip) =>
    !(isUnspecified(ip) || isLoopback(ip) || isMulticast(ip) || isLinkLocalUnicast(ip) || isBroadcast(ip)),
};

/** Functions over networks. */
export const cidrs: Functions = {
  'cidr(string): net.CIDR': (text: string) => must(parseCidr(text)),
  'isCIDR(string): bool': (text: string) => typeof parseCidr(text) !== 'string',
  'string(net.CIDR): string': ({ ip, length }: Cidr) => `${ipText(ip)}/${length}`,
  'net.CIDR.containsIP(string): bool': (cidr: Cidr, text: string) => containsIp(cidr, must(parseIp(text))),
  'net.CIDR.containsIP(net.IP): bool': containsIp,
  'net.CIDR.containsCIDR(string): bool': (cidr: Cidr, text: string) => containsCidr(cidr, must(parseCidr(text))),
  'net.CIDR.containsCIDR(net.CIDR): bool': containsCidr,
  'net.CIDR.ip(): net.IP': ({ ip }: Cidr) => ip,
  'net.CIDR.prefixLength(): int': ({ length }: Cidr) => BigInt(length),
  'net.CIDR.masked(): net.CIDR': masked,
};
