import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import type { WebhookAddress } from '../../../rules/webhookDelivery/address.ts';

type Subnet = readonly [net: string, prefix: number];

const listOf = (subnets: readonly Subnet[]) => {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, net.includes(':') ? 'ipv6' : 'ipv4');
  return list;
};

const local = listOf([
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['0.0.0.0', 8],
  ['::1', 128],
  ['::', 128],
  ['fe80::', 10],
]);
/** What IANA lists as not globally reachable, or as a service of its own; of IPv6 within 2000::/3. */
const special = listOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);
const globalUnicast = listOf([['2000::', 3]]);

const isIn = (list: BlockList, ip: string) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** The eight groups of an IPv6 address, as a URL spells them. */
function groupsOf(ip: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${ip.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right];
}

const carrying = ['0:0:0:0:0:0', '0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'];
const dotted = (high = '0', low = '0') =>
  [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join('.');

/** The address by which another is judged: the IPv4 address in it, or itself. */
function judgedBy(ip: string): string {
  if (isIP(ip) !== 6 || isIn(local, ip)) return ip;
  const groups = groupsOf(ip);
  if (groups[0] === '2002') return dotted(groups[1], groups[2]);
  return carrying.includes(groups.slice(0, 6).join(':')) ? dotted(groups[6], groups[7]) : ip;
}

const isLocal = (ip: string) => isIn(local, judgedBy(ip));
const isReserved = (ip: string) => {
  const judged = judgedBy(ip);
  return isIn(special, judged) || (isIP(judged) === 6 && !isIn(globalUnicast, judged));
};

/** Document 001, "Address rules", with the ranges of decision 140. */
export function documentsOfAddress({ host, extras, ip, allowPrivate }: WebhookAddress): string {
  if (extras) return 'WHK-045a';
  if (host.startsWith('localhost') || host.endsWith('.localhost') || host === '') return 'WHK-043';
  if (isIP(host) !== 0) {
    if (isLocal(host)) return 'WHK-043';
    if (isReserved(host) && !allowPrivate) return 'WHK-044';
  }
  if (ip === null) return 'WHK-046';
  if (isIP(ip) === 0 || isLocal(ip)) return 'WHK-043a';
  return isReserved(ip) && !allowPrivate ? 'WHK-044a' : 'WHK-046';
}

/** Both sides of the boundary of every range. */
const borders = [
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0', '169.253.255.255', '169.254.0.0', '169.255.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '172.15.255.255', '172.16.0.0', '172.31.255.255'],
  ['172.32.0.0', '192.167.255.255', '192.168.0.0', '192.169.0.0', '100.63.255.255', '100.64.0.0', '100.127.255.255'],
  ['100.128.0.0', '0.0.0.0', '0.0.0.1', '1.0.0.0', '223.255.255.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ['::', '::1', '::2', 'fe7f::1', 'fe80::1', 'febf::1', 'fec0::1', 'fbff::1', 'fc00::1', 'fdff::1', 'feff::1'],
  ['ff00::1', 'FF02::1', '2001:db8::1', '1::', '1:2:3:4:5:6:7:8', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ['::ffff:8.8.8.8', '::FFFF:7f00:1', '0:0:0:0:0:ffff:a9fe:a9fe', '64:ff9b::8.8.8.8', '64:ff9b::a9fe:a9fe'],
  ['::127.0.0.1', '::8.8.8.8', '2002:7f00:1::', '2002:808:808::', '2002:a00:1::', '::ffff:0:7f00:1', '64:ff9b:1::1'],
  [
    '1fff::1',
    '2000::1',
    '3ffe::1',
    '3fff::1',
    '4000::1',
    '2001:1ff::1',
    '2001:200::1',
    '2620:4f:8000::1',
    '2606:4700::1',
  ],
  ['191.255.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.20.0.1', '203.0.113.7', '255.255.255.255'],
].flat();

const ips = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...borders) }, fc.ipV4(), fc.ipV6());
const hosts = fc.oneof(
  { weight: 3, arbitrary: fc.constant('hooks.example.com') },
  fc.constantFrom('localhost', 'localhost.', 'a.localhost', ''),
  ips,
);

/** Webhook addresses around the boundary of every range. */
export const addresses: fc.Arbitrary<WebhookAddress> = fc.record({
  host: hosts,
  extras: fc.constantFrom(false, false, false, false, true),
  ip: fc.option(
    fc.oneof({ weight: 9, arbitrary: ips }, fc.constantFrom('', '1.2.3', '1:2', '::1::', '256.1.1.1', 'g::')),
  ),
  allowPrivate: fc.boolean(),
});
