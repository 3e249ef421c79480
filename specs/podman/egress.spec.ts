import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { cidrWithout } from '../../runtime/embedded/network/egress/cidrs.ts';
import { createFirewall } from '../../runtime/embedded/network/egress/firewall.ts';
import { restrictedIn } from '../../runtime/embedded/network/egress/rules.ts';
import { viewOf } from '../../runtime/embedded/network/view.ts';
import { blockCloudMetadata } from '../../rules/project/policies.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { lacksPodman } from './ownPodman.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { objectsOf, namespaceChange, podChange, policyChange } from './scene.ts';

const lacking = lacksPodman() ?? enterOwnNetwork();
const spec = suite('egress of pods');
const real = unless(spec, lacking);
const podRange = '10.128.0.0/9';
const restricted = (...told: Parameters<typeof objectsOf>[0]) => restrictedIn(viewOf(objectsOf(told)), podRange);
const matchesOf = (...told: Parameters<typeof objectsOf>[0]) => restricted(...told).flatMap(({ matches }) => matches);

const holds = (ranges: readonly string[], ip: string) => {
  const number = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return ranges.some((range) => {
    const [base = '', length] = range.split('/');
    const size = 2 ** (32 - Number(length));
    return number(ip) >= number(base) && number(ip) < number(base) + size;
  });
};

spec('a CIDR with exceptions is split into ranges that exclude only the exceptions', () => {
  const left = cidrWithout('0.0.0.0/0', ['169.254.0.0/16', '10.0.0.0/8']);
  const held = ['0.0.0.0', '9.255.255.255', '11.0.0.0', '169.253.255.255', '169.255.0.0', '255.255.255.255'];
  assert.equal(
    held.filter((ip) => !holds(left, ip)),
    [],
  );
  assert.equal(
    ['10.0.0.0', '10.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'].filter((ip) => holds(left, ip)),
    [],
  );
  assert.equal(cidrWithout('10.1.0.0/16', ['10.0.0.0/8']), []);
  assert.equal(cidrWithout('10.1.0.0/16', ['10.2.0.0/16']), ['10.1.0.0/16']);
});

spec('NET-007 pods under one policy reach everything except the credentials endpoint of the cloud', () => {
  const { spec: policy } = blockCloudMetadata({ project: 'shop', environment: 'production', cluster: 'local' });
  const [group, ...others] = restricted(
    policyChange('shop/core-block-cloud-metadata', policy),
    podChange('shop/a', '10.128.0.2'),
    podChange('shop/b', '10.128.0.3'),
    podChange('free/c', '10.128.0.4'),
  );
  assert.equal([group?.from, others], [['10.128.0.2', '10.128.0.3'], []]);
  const ranges = (group?.matches ?? []).map((match) => match.replace('-d ', ''));
  assert.ok(ranges.includes(podRange), 'all pods are one range');
  const out = ranges.filter((range) => range !== podRange);
  assert.equal([holds(out, '169.254.169.254'), holds(out, '203.0.113.7')], [false, true]);
});

spec('a rule matches by peers and ports, and a policy without rules denies everything', () => {
  const db = podChange('shop/db', '10.128.0.9', { labels: { app: 'db' }, ports: { 'TCP/sql': 5432 } });
  const pod = podChange('shop/a', '10.128.0.2', { labels: { app: 'web' } });
  const of = (egress: object[]) =>
    policyChange('shop/p', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Egress'], egress });
  assert.equal(restricted(pod, db, of([])), [{ from: ['10.128.0.2'], matches: [] }]);
  const ports = [{ port: 'sql' }, { protocol: 'UDP', port: 1000, endPort: 1005 }];
  const named = [{ podSelector: { matchLabels: { app: 'db' } } }];
  assert.equal(matchesOf(pod, db, of([{ to: named, ports }])), [
    '-d 10.128.0.9/32 -p tcp --dport 5432',
    '-d 10.128.0.9/32 -p udp --dport 1000:1005',
  ]);
  assert.equal(matchesOf(pod, of([{ ports: [{ port: 443 }] }])), ['-d 0.0.0.0/0 -p tcp --dport 443']);
  assert.equal(
    matchesOf(pod, db, namespaceChange('shop'), of([{ to: [{ namespaceSelector: { matchLabels: { x: 'y' } } }] }])),
    [],
  );
  assert.equal(restricted(pod, policyChange('shop/in', { podSelector: {}, ingress: [] })), []);
});

real('iptables rules are adopted from the former process, updated, and removed at the end', async () => {
  const tables = () => spawnSync('iptables', ['-S'], { encoding: 'utf8' }).stdout.split('\n');
  const before = tables();
  const options = { owner: 'abc', podRange, serviceRange: '10.96.0.0/12' };
  const first = createFirewall(options);
  await first.bring([
    { from: ['10.128.0.2'], matches: ['-d 1.1.1.1/32'] },
    { from: ['10.128.0.3'], matches: [] },
  ]);
  assert.ok(tables().includes('-A CORE-abc -s 10.128.0.3/32 -j CORE-abc-1'));
  const second = createFirewall(options);
  await second.bring([{ from: ['10.128.0.4'], matches: ['-d 2.2.2.2/32 -p tcp --dport 80'] }]);
  const after = tables();
  const jumps = after.filter((line) => line.endsWith('-j CORE-abc'));
  assert.equal(
    jumps,
    ['FORWARD', 'INPUT'].sort((a, b) => (a < b ? 1 : -1)).map((way) => `-A ${way} -s ${podRange} -j CORE-abc`),
  );
  assert.equal(
    after.filter((line) => line.startsWith('-A CORE-abc-')),
    ['-A CORE-abc-0 -d 2.2.2.2/32 -p tcp -m tcp --dport 80 -j RETURN', '-A CORE-abc-0 -j DROP'],
  );
  assert.not.ok(after.some((line) => line.includes('10.128.0.2') || line.includes('CORE-abc-1')));
  await second.bring([]);
  assert.equal(tables(), before);
});

spec.run();
