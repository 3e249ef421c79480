import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { connected, host, startSession, type Session, prepared, putApp, tunnel } from './connected.ts';
import { publicIP, putCredentials, putGround } from './session.ts';

const spec = suite('the platform while its DNS provider cannot be read');

/** The states of the domain since a version, each once in a row. */
const domainStates = ({ seen }: Session, since = 0): readonly string[] => {
  const all = seen.slice(since).map(({ status }) => status?.domainState ?? '');
  return all.filter((state, index) => state !== all[index - 1]);
};

spec('PLC-074b PLC-075 the domain stays PendingHTTPS when hosts of services change in tunnel mode', async () => {
  const one = await startSession(tunnel, (environment) => {
    prepared(environment);
    putApp(environment, 'web');
  });
  await one.pass(10);
  assert.is(one.domain(), 'False PendingHTTPS');
  const since = one.seen.length;
  const calls = () => one.environment.dnsProvider.changes().length;
  const before = calls();
  for (const edit of [
    (environment: TestEnvironment) => putApp(environment, 'web', 'moved.example.org'),
    (environment: TestEnvironment) => putApp(environment, 'shop'),
    ({ cluster }: TestEnvironment) => cluster.drop(apps, 'web'),
  ]) {
    await one.edit(edit);
    await one.pass(10);
  }
  assert.is(calls() - before, 6, 'routes and a record were sent for each');
  assert.ok(one.seen.length > since);
  assert.equal(domainStates(one, since), ['PendingHTTPS']);
  assert.is(one.object().status?.dnsProvider?.dashboardRecord, true);
  await one.end();
});

spec('PLC-074a PLC-074b a domain is not PendingDNS while its record is being created', async () => {
  for (const given of [connected, tunnel]) {
    const one = await startSession(given);
    await one.pass(10);
    assert.is(one.domain(), 'False PendingHTTPS');
    assert.not.ok(domainStates(one).includes('PendingDNS'), domainStates(one).join());
    await one.save({ rootDomain: 'sub.example.org' });
    await one.pass(10);
    assert.is(one.domain(), 'False PendingHTTPS');
    assert.not.ok(domainStates(one).includes('PendingDNS'), domainStates(one).join());
    assert.match(one.records()[0] ?? '', 'core.sub.example.org');
    await one.end();
  }
});

spec('PLC-074a a domain is PendingDNS when its routes fail, whatever record another host has', async () => {
  const one = await startSession(tunnel);
  await one.pass(10);
  one.environment.dnsProvider.refuses = (call) =>
    call.startsWith('publish') ? { is: 'silent', why: 'HTTP 500' } : null;
  await one.save({ rootDomain: 'sub.example.org' });
  await one.pass(10);
  assert.is(one.dns(), 'False TunnelConfigError');
  assert.is(one.domain(), 'False PendingDNS');
  assert.match(one.says(), /The DNS record of core\.sub\.example\.org could not be created: .*HTTP 500/);
  await one.end();
});

spec('PLC-054 PLC-075 the condition of a domain is unchanged when the provider cannot be read', async () => {
  const silent = () => ({ is: 'silent', why: 'HTTP 500' }) as const;
  const undecided = await startSession(connected, (environment) => {
    prepared(environment);
    environment.dnsProvider.zonesSeen = [
      { id: 'b', name: 'example.net' },
      { id: 'c', name: 'example.com' },
    ];
  });
  const settled = await startSession(tunnel);
  for (const [one, state] of [
    [undecided, 'ZoneRequired'],
    [settled, 'PendingHTTPS'],
  ] as const) {
    await one.pass(10);
    const since = one.seen.length;
    one.environment.dnsProvider.refuses = silent;
    await one.pass(310);
    assert.match(one.dns(), /^False (DNS|Tunnel)Error$/);
    one.environment.dnsProvider.refuses = () => null;
    await one.edit((environment) => putCredentials(environment, { apiToken: 'wrong' }));
    await one.pass(10);
    assert.is(one.dns(), 'False CredentialsInvalid');
    assert.equal(domainStates(one, since), [state]);
    await one.end();
  }
});

spec('PLC-033 records stay as they are while no node of the cluster is ready', async () => {
  const one = await startSession(connected, (environment) => {
    prepared(environment);
    putApp(environment, 'web');
  });
  await one.pass(10);
  const records = one.records();
  assert.is(records.length, 2);
  const changes = one.environment.dnsProvider.changes().length;
  const [node] = one.environment.cluster.all(clusterNodes);
  if (!node) throw new Error('there is no node');
  const conditions = [{ type: 'Ready', status: 'Unknown' }];
  await one.edit(({ cluster }) => cluster.put(clusterNodes, { ...node, status: { ...node.status, conditions } }));
  await one.pass(310);
  assert.is(one.dns(), 'False DNSError');
  assert.match(one.condition('DnsProviderReady')?.message ?? '', 'the cluster has no public IP');
  assert.equal(one.records(), records);
  assert.is(one.domain(), 'False PendingHTTPS');
  await one.edit(putGround);
  await one.pass(10);
  assert.is(one.dns(), 'True Connected');
  assert.is(one.environment.dnsProvider.changes().length, changes, 'nothing was sent');
  await one.end();
});

spec('PLC-039 a requested reconcile reads the provider, however recent the last read is', async () => {
  const one = await startSession();
  await one.pass(10);
  const { length } = one.environment.dnsProvider.calls;
  one.environment.dnsProvider.recordsOf.set('zone-1', []);
  await one.pass(30);
  assert.is(one.environment.dnsProvider.calls.length, length);
  const [controller] = one.operator().controllers;
  if (!controller) throw new Error('nobody reconciles the platform');
  await one.time.wait(Effect.runPromise(one.operator().requestPass(controller, 'platform')));
  await one.pass(5);
  assert.equal(one.records(), [`A ${host} ${publicIP}`], 'the record that was removed is made');
  const after = one.environment.dnsProvider.calls.length;
  await one.pass(60);
  assert.is(one.environment.dnsProvider.calls.length, after, 'a request is answered once');
  await one.end();
});

spec.run();
