import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { recordChanges } from '../../../../rules/dnsProviderReady/records.ts';
import { zoneFor } from '../../../../rules/dnsProviderReady/zone.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { suite } from '../../../support/suite.ts';
import { connected, host, startSession, type Session, prepared, putApp, tunnel } from './connected.ts';
import { publicIP, putCredentials, putGround, putSecret } from './session.ts';

const spec = suite('the DNS provider of the platform');
spec(
  'PLC-018 PLC-019 PLC-033 PLC-058 PLC-083 a connected DNS provider gets a proxied record of the dashboard',
  async () => {
    const one = await startSession();
    await one.pass(3);
    assert.is(one.dns(), 'True Connected');
    assert.equal(one.records(), [`A ${host} ${publicIP}`]);
    const [record] = one.environment.dnsProvider.recordsOf.get('zone-1') ?? [];
    assert.is(record?.proxied, true);
    assert.is(record?.comment, `core ${one.object().metadata.uid}`);
    assert.is(one.domain(), 'False PendingHTTPS', 'the record, not what it resolves to, says that DNS is right');
    one.environment.reach.probe = { is: 'answers' };
    await one.pass(6);
    const before = [one.environment.dnsProvider.calls.length, one.object().metadata.resourceVersion] as const;
    await one.pass(290);
    assert.equal(
      [one.environment.dnsProvider.calls.length, one.object().metadata.resourceVersion],
      before,
      'PLC-039: five quiet minutes',
    );
    await one.pass(15);
    assert.ok(one.environment.dnsProvider.calls.length > before[0], 'then it is looked at again');
    assert.is(one.environment.dnsProvider.changes().length, 1);
    await one.end();
  },
);

spec(
  'PLC-057 PLC-058 PLC-082 the platform has no DNS condition without a connection, and no record without a root domain',
  async () => {
    const one = await startSession({ dnsConnectionRef: { name: 'platform-dns' } });
    await one.pass(3);
    assert.is(one.dns(), 'True Connected');
    assert.match(one.condition('DnsProviderReady')?.message ?? '', 'without a root domain no record is made');
    assert.equal(one.records(), []);
    await one.save({ dnsConnectionRef: null });
    await one.pass(3);
    assert.is(one.condition('DnsProviderReady'), undefined);
    assert.is(one.object().status?.dnsProvider, undefined);
    await one.end();
  },
);

spec(
  'PLC-060 PLC-061 PLC-085 PLC-086 SEC-026 incomplete or refused credentials are reported in DnsProviderReady',
  async () => {
    const one = await startSession(connected, (environment) => {
      putGround(environment);
      putSecret(environment, 'platform-dns', { apiToken: 'x' });
    });
    await one.pass(3);
    assert.is(one.dns(), 'False CredentialsIncomplete');
    assert.is(one.condition('DnsProviderReady')?.message, 'Secret "platform-dns" lacks accountId');
    assert.equal(one.environment.dnsProvider.calls, []);
    await one.edit((environment) => putCredentials(environment, { apiToken: 'wrong' }));
    await one.pass(3);
    assert.is(one.dns(), 'False CredentialsInvalid');
    assert.is(one.domain(), 'False PendingDNS');
    await one.edit((environment) => putCredentials(environment));
    await one.pass(3);
    assert.is(one.dns(), 'True Connected');
    assert.not.match(JSON.stringify(one.object()), /token-of-the-provider/);
    await one.end();
  },
);

spec(
  'PLC-065 PLC-090 PLC-050 a failing provider is a DNSError, and a rate limit is reported with its end',
  async () => {
    const one = await startSession();
    await one.pass(3);
    one.environment.dnsProvider.refuses = () => ({ is: 'silent', why: 'HTTP 500' });
    await one.pass(302);
    assert.is(one.dns(), 'False DNSError');
    assert.match(one.condition('DnsProviderReady')?.message ?? '', 'the DNS provider does not answer: HTTP 500');
    const until = one.time.now() + 60_000;
    one.environment.dnsProvider.refuses = () => ({ is: 'limited', until });
    await one.pass(6);
    const { length } = one.environment.dnsProvider.calls;
    await one.pass(50);
    assert.is(one.environment.dnsProvider.calls.length, length, 'no request is sent before');
    one.environment.dnsProvider.refuses = () => null;
    await one.pass(12);
    assert.is(one.dns(), 'True Connected');
    await one.end();
  },
);

spec(
  'PLC-020 PLC-054 PLC-077 the zone is the configured, the named, that of the root domain, or the only one',
  async () => {
    const a = { id: 'a', name: 'example.org' };
    const b = { id: 'b', name: 'example.net' };
    const choice = (given: Partial<Parameters<typeof zoneFor>[0]>) => {
      const found = zoneFor({ root: 'example.org', zoneID: '', zoneName: '', allowed: '', visible: [a, b], ...given });
      return found.is === 'settled' ? found.id : found.is;
    };
    assert.is(choice({ zoneID: 'x' }), 'x');
    assert.is(choice({}), 'a');
    assert.is(choice({ zoneName: 'example.net' }), 'b');
    assert.is(choice({ zoneName: 'example.com' }), 'missing');
    assert.is(choice({ allowed: 'example.net' }), 'b');
    assert.is(choice({ visible: [b] }), 'b');
    assert.is(choice({ visible: [] }), 'missing');
    assert.is(choice({ root: 'example.com' }), 'undecided');

    const one = await startSession(connected, (environment) => {
      prepared(environment);
      environment.dnsProvider.zonesSeen = [b, { id: 'c', name: 'example.com' }];
    });
    await one.pass(10);
    assert.is(one.domain(), 'False ZoneRequired');
    assert.is(one.says(), 'Several DNS zones are visible and none matches example.org; set spec.dnsZoneID');
    await one.save({ dnsZoneID: 'c' });
    await one.pass(10);
    assert.is(one.dns(), 'True Connected');
    await one.end();
  },
);

spec('unmanaged records are accepted when they match, and never changed or removed', async () => {
  const record = (...[id, type, name, content, comment = '']: readonly [string, string, string, string, string?]) => ({
    id,
    type,
    name,
    content,
    comment,
    proxied: true,
  });
  const wanted = [{ type: 'A', name: 'a.x', content: '1', proxied: true, comment: 'core 1' }];
  const does = (...found: ReturnType<typeof record>[]) =>
    recordChanges(wanted, found, 'core 1').map((change) => `${change.does} ${change.name}`);
  assert.equal(does(), ['create a.x']);
  assert.equal(does(record('1', 'A', 'a.x', '1')), [], 'says the same');
  assert.equal(does(record('1', 'A', 'a.x', '2')), ['nothing a.x']);
  assert.equal(does(record('1', 'TXT', 'a.x', 'v')), ['create a.x'], 'another type does not stand in the way');
  assert.equal(does(record('1', 'A', 'a.x', '2', 'core 1')), ['change a.x']);
  assert.equal(does(record('1', 'CNAME', 'a.x', '2', 'core 1')), ['remove a.x', 'create a.x']);
  assert.equal(does(record('1', 'A', 'a.x', '1', 'core 1'), record('2', 'A', 'b.x', '1', 'core 1')), ['remove b.x']);
  assert.equal(does(record('1', 'A', 'a.x', '1', 'core 2'), record('2', 'A', 'b.x', '1', 'core 2')), []);
  const ids = (...given: Parameters<typeof does>) =>
    recordChanges(wanted, given, 'core 1').map((change) => ('record' in change ? change.record : null));
  assert.equal(ids(record('2', 'A', 'b.x', '1', 'core 1')), [{ ...wanted[0], id: '2' }], 'a host that moved');
  assert.equal(ids(record('2', 'A', 'b.x', '1', 'core 1'), record('1', 'A', 'a.x', '2', 'core 1')), [
    null,
    { ...wanted[0], id: '1' },
  ]);

  const one = await startSession(connected, (environment) => {
    prepared(environment);
    environment.dnsProvider.recordsOf.set('zone-1', [record('f', 'A', host, '192.0.2.1')]);
  });
  await one.pass(10);
  assert.is(one.dns(), 'False DNSError');
  assert.is(one.domain(), 'False PendingDNS');
  assert.match(one.says(), `${host} has a record that Core did not make`);
  assert.equal(one.environment.dnsProvider.changes(), []);
  await one.end();
});

const agent = ({ environment: { cluster } }: Session) =>
  cluster.all<KubeObject>(owned.deployments).find(({ metadata }) => metadata.name === 'core-tunnel-agent');
const tokenIn = ({ environment: { cluster } }: Session) => {
  const secret = cluster.all(owned.secrets).find(({ metadata }) => metadata.name === 'core-tunnel-token');
  return secret && Buffer.from(secret.data?.['token'] ?? '', 'base64').toString();
};

spec(
  'PLC-015 PLC-017 PLC-028 PLC-034 PLC-035 PLC-036 PLC-038 PLC-039 PLC-053 PLC-059 PLC-076 PLC-084 a tunnel is created with its agent, routes and records',
  async () => {
    const one = await startSession(tunnel, (environment) => {
      prepared(environment);
      putApp(environment, 'web');
    });
    await one.pass(10);
    assert.is(one.dns(), 'True Ready');
    const [made] = one.environment.dnsProvider.tunnelsSeen;
    assert.is(made?.name, 'core');
    const hostname = `${made?.id ?? ''}.cfargotunnel.com`;
    assert.is(one.object().status?.tunnelID, made?.id);
    assert.is(one.object().spec.tunnelCNAMETarget, hostname);
    assert.equal(one.records().toSorted(), [`CNAME ${host} ${hostname}`, `CNAME web.example.org ${hostname}`]);
    assert.equal(one.environment.dnsProvider.routesOf.get(made?.id ?? ''), [
      { hostname: host, service: 'http://core-core-dashboard.core-system.svc:8085' },
      { hostname: 'web.example.org', service: 'http://web.shop-production.svc:80' },
      { service: 'http_status:404' },
    ]);
    assert.is(tokenIn(one), `token-of-${made?.id ?? ''}`);
    assert.match(JSON.stringify(agent(one)), '"image":"agent-image"');
    assert.not.match(JSON.stringify(one.object()), /token-of-tunnel/);
    assert.equal(one.moves('dashboardDomainReady').slice(0, 1), ['Unchecked tunnelAwaited PendingTunnel']);
    assert.is(one.domain(), 'False PendingHTTPS');

    const before = one.environment.dnsProvider.changes().length;
    await one.crash();
    await one.pass(600);
    assert.is(one.environment.dnsProvider.changes().length, before, 'PLC-038: a restart sends nothing');
    const asked = one.environment.dnsProvider.calls;
    const times: number[] = [];
    for (let minute = 0; minute < 15; minute++) {
      const { length } = asked;
      await one.pass(60);
      if (asked.length > length) times.push(minute);
    }
    assert.equal(
      times.map((minute) => minute - (times[0] ?? 0)),
      [0, 5, 10],
      'PLC-039: an unchanged tunnel is looked at every five minutes',
    );
    assert.is(one.environment.dnsProvider.changes().length, before);

    await one.edit((environment) => putApp(environment, 'shop'));
    await one.pass(3);
    assert.equal(one.environment.dnsProvider.changes().slice(before), [
      'publish 4 routes',
      `create CNAME shop.example.org ${hostname}`,
    ]);
    await one.edit(({ cluster }) => cluster.drop(apps, 'web'));
    await one.pass(3);
    assert.equal(one.environment.dnsProvider.changes().slice(before + 2), [
      'publish 3 routes',
      'remove web.example.org',
    ]);
    await one.end();
  },
);

spec('PLC-037 PLC-040 the tunnel agent and its token are deleted with the connection or with tunnel mode', async () => {
  const one = await startSession(tunnel);
  await one.pass(10);
  assert.ok(agent(one));
  await one.save({ dnsConnectionRef: null });
  await one.pass(5);
  assert.is(agent(one), undefined);
  assert.is(tokenIn(one), undefined);
  assert.is(one.object().spec.tunnelCNAMETarget, undefined);
  assert.is(one.domain(), 'False PendingTunnel');
  await one.save({ dnsConnectionRef: { name: 'platform-dns' } });
  await one.pass(10);
  assert.is(one.dns(), 'True Ready');
  assert.is(one.environment.dnsProvider.tunnelsSeen.length, 1, 'the same tunnel is taken up again');
  await one.save({ dashboardExposure: 'ingress' });
  await one.pass(10);
  assert.is(one.dns(), 'True Connected');
  assert.is(agent(one), undefined);
  assert.equal(one.records(), [`A ${host} ${publicIP}`]);
  await one.end();
});

spec(
  'PLC-062 PLC-063 PLC-064 PLC-087 PLC-088 PLC-089 each stage of a tunnel fails under a separate reason',
  async () => {
    for (const [call, reason] of [
      [/^create tunnel/, 'TunnelError'],
      [/^tunnels/, 'TunnelError'],
      [/^token/, 'TunnelTokenError'],
      [/^publish/, 'TunnelConfigError'],
      [/^create CNAME/, 'DNSError'],
    ] as const) {
      const one = await startSession(tunnel, (environment) => {
        prepared(environment);
        environment.dnsProvider.refuses = (asked) => (call.test(asked) ? { is: 'silent', why: 'HTTP 500' } : null);
      });
      await one.pass(10);
      assert.is(one.dns(), `False ${reason}`);
      one.environment.dnsProvider.refuses = () => null;
      await one.pass(15);
      assert.is(one.dns(), 'True Ready', reason);
      assert.is(one.environment.dnsProvider.tunnelsSeen.length, 1);
      await one.end();
    }
  },
);

spec('a tunnel "core" of another installation is left unchanged', async () => {
  const one = await startSession(tunnel, (environment) => {
    prepared(environment);
    environment.dnsProvider.tunnelsSeen = [{ id: 'theirs', name: 'core', connected: true }];
  });
  await one.pass(10);
  assert.is(one.dns(), 'False TunnelError');
  assert.equal(one.environment.dnsProvider.changes(), []);
  await one.end();
});

spec('PLC-017 a tunnel of the user gets only records', async () => {
  const one = await startSession({ ...tunnel, tunnelCNAMETarget: 'mine.example.net' });
  await one.pass(10);
  assert.is(one.dns(), 'True Ready');
  assert.equal(one.records(), [`CNAME ${host} mine.example.net`]);
  assert.equal(one.environment.dnsProvider.tunnelsSeen, []);
  assert.is(agent(one), undefined);
  await one.end();
});

spec('PLC-041 a failed record blocks no other one, is logged and retried', async () => {
  const one = await startSession(tunnel, (environment) => {
    prepared(environment);
    for (const name of ['a', 'b', 'c']) putApp(environment, name);
    environment.dnsProvider.refuses = (call) =>
      call.startsWith('create CNAME b.') ? { is: 'refused', code: 400, status: 'HTTP 400' } : null;
  });
  await one.pass(10);
  assert.equal(
    one.records().map((text) => text.split(' ')[1]),
    [host, 'a.example.org', 'c.example.org'],
  );
  assert.is(one.dns(), 'False DNSError');
  const before = one.environment.dnsProvider.changes().length;
  await one.pass(5);
  assert.is(new Set(one.environment.dnsProvider.changes().slice(before)).size, 1, 'only that one is sent again');
  one.environment.dnsProvider.refuses = () => null;
  await one.pass(6);
  assert.is(one.dns(), 'True Ready');
  await one.end();
});

spec('a tunnel that was deleted at the provider is recreated', async () => {
  const one = await startSession(tunnel);
  await one.pass(10);
  one.environment.dnsProvider.tunnelsSeen = [];
  await one.pass(320);
  assert.is(one.dns(), 'True Ready');
  const [made] = one.environment.dnsProvider.tunnelsSeen;
  assert.is(one.object().spec.tunnelCNAMETarget, `${made?.id ?? ''}.cfargotunnel.com`);
  assert.equal(one.records(), [`CNAME ${host} ${made?.id ?? ''}.cfargotunnel.com`]);
  assert.is(tokenIn(one), `token-of-${made?.id ?? ''}`);
  await one.end();
});

spec('a changed host among 120 costs one call for the routes and one for its record', async () => {
  const one = await startSession(tunnel, (environment) => {
    prepared(environment);
    for (let at = 0; at < 120; at++) putApp(environment, `s${at}`);
  });
  await one.pass(30);
  assert.is(one.records().length, 121);
  assert.is(one.dns(), 'True Ready');
  const { changes } = one.environment.dnsProvider;
  const before = changes().length;
  await one.edit((environment) => putApp(environment, 's7', 'moved.example.org'));
  await one.pass(10);
  assert.equal(
    changes()
      .slice(before)
      .map((call) => call.replace(/ (CNAME )?(\S+) .*/, ' $2')),
    ['publish 122', 'change moved.example.org'],
  );
  assert.ok(!one.records().some((text) => text.includes('s7.example.org')));
  await one.end();
});

spec.run();
