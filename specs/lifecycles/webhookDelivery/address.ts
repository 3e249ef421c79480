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
  ['0.0.0.0', 32],
  ['::1', 128],
  ['::', 128],
  ['fe80::', 10],
]);
const reserved = listOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['0.0.0.0', 8],
  ['224.0.0.0', 4],
  ['fc00::', 7],
  ['ff00::', 8],
]);

const isIn = (list: BlockList, ip: string) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');

/** Document 001, "Address rules", with the ranges of decision 140. */
export function documentsOfAddress({ host, extras, ip, allowPrivate }: WebhookAddress): string {
  if (extras) return 'WHK-045a';
  if (host.startsWith('localhost') || host.endsWith('.localhost') || host === '') return 'WHK-043';
  if (isIP(host) !== 0) {
    if (isIn(local, host)) return 'WHK-043';
    if (isIn(reserved, host) && !allowPrivate) return 'WHK-044';
  }
  if (ip === null) return 'WHK-046';
  if (isIP(ip) === 0 || isIn(local, ip)) return 'WHK-043a';
  return isIn(reserved, ip) && !allowPrivate ? 'WHK-044a' : 'WHK-046';
}

/** Both sides of the boundary of every range. */
const borders = [
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0', '169.253.255.255', '169.254.0.0', '169.255.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0', '172.15.255.255', '172.16.0.0', '172.31.255.255'],
  ['172.32.0.0', '192.167.255.255', '192.168.0.0', '192.169.0.0', '100.63.255.255', '100.64.0.0', '100.127.255.255'],
  ['100.128.0.0', '0.0.0.0', '0.0.0.1', '1.0.0.0', '223.255.255.255', '224.0.0.0', '239.255.255.255', '240.0.0.0'],
  ['::', '::1', '::2', 'fe7f::1', 'fe80::1', 'febf::1', 'fec0::1', 'fbff::1', 'fc00::1', 'fdff::1', 'feff::1'],
  ['ff00::1', 'FF02::1', '2001:db8::1', '1::', '1:2:3:4:5:6:7:8', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ['::ffff:8.8.8.8', '::FFFF:7f00:1', '0:0:0:0:0:ffff:a9fe:a9fe', '64:ff9b::8.8.8.8'],
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
