import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { labelOf } from '../../runtime/embedded/network/loopback.ts';
import { type ServedNetwork, serveNetwork } from '../../runtime/embedded/network/serve.ts';
import type { NetworkChange } from '../../runtime/embedded/network/current.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addressesHere, enterOwnNetwork, haveAddresses } from './ownNetwork.ts';
import { type Plain, greeter, tcpAt, told } from './plainServers.ts';
import { endpoint, namespaceChange, podChange, policyChange, serviceChange, sliceChange } from './scene.ts';

const missing = enterOwnNetwork();
const spec = suite('Services of a machine');
const test = unless(spec, missing);

const [one, two, three, dead, stranger] = ['10.128.0.1', '10.128.0.2', '10.128.0.3', '10.128.0.9', '10.9.0.1'];
const options = {
  owner: 'abc123',
  podRange: '10.128.0.0/9',
  serviceRange: '10.96.0.0/16',
  dnsAddress: '10.96.0.10',
  ingressPort: 8080,
  ingressTlsPort: 8443,
};
const complaints: string[] = [];
let network: ServedNetwork;
let blocked: Plain;

spec.before(async () => {
  if (missing !== null) return;
  haveAddresses(one, two, three, dead, stranger);
  blocked = await tcpAt('127.0.0.1', options.ingressTlsPort, (socket) => socket.destroy());
  network = serveNetwork(options, {
    complain: (why, closed) =>
      complaints.push(why, ...closed.map(({ service, message }) => `${service} says ${message}`)),
  });
});
spec.after(async () => {
  await network?.stop();
});

const tell = (...objects: readonly NetworkChange[]) => {
  network.put(objects);
  return network.settled();
};

test('a port that cannot be opened for visitors is reported with its setting', async () => {
  await tell();
  assert.match(
    complaints.join(),
    /has port 8443 of 127\.0\.0\.1, .*another CORE_INGRESS_TLS_PORT or --ingress-tls-port/,
  );
  await blocked.stop();
});

test('a Service address balances connections over its ready endpoints', async () => {
  const servers = await Promise.all([greeter(one), greeter(two), greeter(three)]);
  await tell(
    serviceChange('a/web', '10.96.1.1'),
    sliceChange('a/web', [endpoint(one), endpoint(two), endpoint(three, { ready: false })]),
  );
  assert.is(addressesHere().get('10.96.1.1'), labelOf(options.owner));
  const answers = [await told('10.96.1.1', 80), await told('10.96.1.1', 80), await told('10.96.1.1', 80)];
  assert.equal(answers.toSorted(), [one, one, two]);
  await tell(['service a/web', null], ['slice a/web', null]);
  assert.not.ok(addressesHere().has('10.96.1.1'));
  await Promise.all(servers.map(({ stop }) => stop()));
});

test('a connection refused by one endpoint goes to the next, and is reset when all refuse it', async () => {
  const server = await greeter(two);
  await tell(serviceChange('a/web', '10.96.1.1'), sliceChange('a/web', [endpoint(dead), endpoint(two)]));
  for (let turn = 0; turn < 4; turn++) assert.is(await told('10.96.1.1', 80), two);
  await server.stop();
  assert.is(await told('10.96.1.1', 80), 'ECONNRESET');
});

test('every connection gets an answer during a rollout', async () => {
  let copies = [await greeter(one), await greeter(two)];
  const at = [one, two];
  await tell(
    serviceChange('a/web', '10.96.1.1'),
    sliceChange(
      'a/web',
      at.map((ip) => endpoint(ip)),
    ),
  );
  const asking = { is: true };
  const answers = new Map<string, number>();
  const clients = Array.from({ length: 4 }, async () => {
    while (asking.is) {
      const answer = await told('10.96.1.1', 80);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  for (const [index, next] of [three, one, two].entries()) {
    copies = [...copies, await greeter(next)];
    at.push(next);
    await tell(
      sliceChange(
        'a/web',
        at.map((ip) => endpoint(ip)),
      ),
    );
    // The old one is told of as ending before it ends, and gone for the proxy before it closes its door.
    await tell(
      sliceChange(
        'a/web',
        at.map((ip, place) => endpoint(ip, { ready: place > index })),
      ),
    );
    const seen = answers.get(next) ?? 0;
    await until(() => (answers.get(next) ?? 0) > seen + 5, 'the new copy answers');
    await copies[index]?.stop();
  }
  asking.is = false;
  await Promise.all(clients);
  assert.equal([...answers.keys()].toSorted(), [one, two, three], JSON.stringify([...answers]));
  await Promise.all(copies.map(({ stop }) => stop().catch(() => {})));
});

const isolation = {
  podSelector: {},
  policyTypes: ['Ingress'],
  ingress: [{ from: [{ namespaceSelector: { matchLabels: { project: 'a' } } }] }],
};

test('NET-003 NET-010 a Service refuses pods of other projects, and serves pods of its project and the machine', async () => {
  const server = await greeter(one);
  await tell(
    namespaceChange('a-prod', { project: 'a' }),
    namespaceChange('a-test', { project: 'a' }),
    namespaceChange('b-prod', { project: 'b' }),
    policyChange('a-prod/isolation', isolation),
    serviceChange('a-prod/web', '10.96.1.2'),
    sliceChange('a-prod/web', [endpoint(one)]),
    podChange('a-prod/web', one),
    podChange('a-test/x', two),
    podChange('b-prod/x', three),
  );
  assert.is(await told('10.96.1.2', 80, two), one);
  assert.is(await told('10.96.1.2', 80), one);
  const before = server.connections();
  assert.is(await told('10.96.1.2', 80, three), 'ECONNRESET');
  assert.is(await told('10.96.1.2', 80, stranger), 'ECONNRESET');
  assert.is(server.connections(), before);
  await tell(['policy a-prod/isolation', null]);
  assert.is(await told('10.96.1.2', 80, three), one);
  await server.stop();
});

test('a connection from an unknown pod address waits for the API, and is refused when the address stays unknown', async () => {
  const server = await greeter(one);
  await tell(serviceChange('a/web', '10.96.1.1'), sliceChange('a/web', [endpoint(one)]));
  const early = told('10.96.1.1', 80, dead);
  await until(() => tell(podChange('a/late', dead)).then(() => true), 'told');
  assert.is(await early, one);
  await tell(['pod a/late', null]);
  assert.is(await told('10.96.1.1', 80, dead), 'ECONNRESET');
  await server.stop();
});

test('all bytes pass in both directions, also after one side has half-closed', async () => {
  const server = await tcpAt(one, 8080, (socket) => {
    const hash = createHash('sha256');
    socket.on('data', (piece) => hash.update(piece));
    socket.on('end', () => socket.end(hash.digest('hex')));
  });
  await tell(serviceChange('a/web', '10.96.1.1'), sliceChange('a/web', [endpoint(one)]));
  const bytes = randomBytes(8 * 2 ** 20);
  const client = connect({ host: '10.96.1.1', port: 80, allowHalfOpen: true });
  client.end(bytes);
  let answer = '';
  for await (const piece of client) answer += String(piece);
  assert.is(answer, createHash('sha256').update(bytes).digest('hex'));
  await server.stop();
});

test('a broken connection on either side of the proxy breaks the other side', async () => {
  const behind: Socket[] = [];
  const server = await tcpAt(one, 8080, (socket) => void behind.push(socket.on('error', () => {})));
  await tell(serviceChange('a/web', '10.96.1.1'), sliceChange('a/web', [endpoint(one)]));
  const open = async () => {
    const client = connect({ host: '10.96.1.1', port: 80 });
    const count = behind.length;
    await until(() => behind.length > count, 'it is led through');
    return { client, other: behind.at(-1) as Socket };
  };
  const first = await open();
  const broken = once(first.client, 'error');
  first.other.resetAndDestroy();
  assert.is(((await broken) as [NodeJS.ErrnoException])[0].code, 'ECONNRESET');
  const second = await open();
  second.client.resetAndDestroy();
  await until(() => second.other.destroyed, 'the other side is told');
  await server.stop();
});

test('a node port answers on loopback, and session affinity keeps a client at one endpoint', async () => {
  const servers = await Promise.all([greeter(one), greeter(two)]);
  const ports = [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 30_123 }];
  await tell(
    serviceChange('a/web', '10.96.1.1', { ports, sticky: true }),
    sliceChange('a/web', [endpoint(one), endpoint(two)]),
  );
  const answers = new Set<string>();
  for (let turn = 0; turn < 6; turn++) answers.add(await told('127.0.0.1', 30_123));
  assert.is(answers.size, 1);
  await tell(serviceChange('a/web', '10.96.1.1'));
  assert.is(await told('127.0.0.1', 30_123), 'ECONNREFUSED');
  await Promise.all(servers.map(({ stop }) => stop()));
});

test('UDP packets are forwarded to an endpoint and answered', async () => {
  const server = createSocket('udp4').bind(5353, one);
  server.on('message', (packet, from) => server.send(`${packet.toString()} back`, from.port, from.address));
  const ports = [{ name: 'dns', protocol: 'UDP', port: 5300 }];
  await tell(
    serviceChange('a/names', '10.96.1.3', { ports: [{ name: 'dns', protocol: 'UDP', port: 5300, nodePort: 0 }] }),
    sliceChange('a/names', [endpoint(one)], [{ ...ports[0], port: 5353 } as (typeof ports)[number]]),
  );
  const client = createSocket('udp4');
  const answered = once(client, 'message') as Promise<[Buffer]>;
  client.send('there and', 5300, '10.96.1.3');
  assert.is(String((await answered)[0]), 'there and back');
  client.close();
  server.close();
});

test('DNS answers over UDP and TCP resolve names in the namespace of the asking pod', async () => {
  const many = Array.from({ length: 100 }, (_, index) => endpoint(`10.128.1.${index + 1}`));
  await tell(
    podChange('a/x', two),
    podChange('b/x', three),
    serviceChange('a/web', '10.96.1.1'),
    serviceChange('b/web', '10.96.1.4'),
    serviceChange('a/crowd', 'None'),
    sliceChange('a/crowd', many),
  );
  const asker = (from?: string) => {
    const resolver = new Resolver();
    resolver.setServers([options.dnsAddress]);
    if (from !== undefined) resolver.setLocalAddress(from);
    return resolver;
  };
  assert.equal(await asker(two).resolve4('web'), ['10.96.1.1']);
  assert.equal(await asker(three).resolve4('web'), ['10.96.1.4']);
  assert.equal(await asker().resolve4('web.b.svc.cluster.local'), ['10.96.1.4']);
  // More than a packet holds: the asker comes again over TCP.
  assert.is((await asker().resolve4('crowd.a.svc.cluster.local')).length, many.length);
  const refused = (await asker()
    .resolve4('no.a.svc.cluster.local')
    .catch((why: unknown) => why)) as NodeJS.ErrnoException;
  assert.is(refused.code, 'ENOTFOUND');
});

test('addresses of another server stay, and a port in use is reported and opened when it is free', async () => {
  const other = labelOf('other');
  assert.is.not(other, labelOf(options.owner));
  const taken = await greeter(one, 31_000);
  const ports = [{ name: 'http', protocol: 'TCP', port: 80, nodePort: 31_000 }];
  const blocked = await tcpAt('127.0.0.1', 31_000, (socket) => socket.destroy());
  complaints.length = 0;
  await tell(
    serviceChange('a/web', '10.96.1.1', { ports }),
    sliceChange('a/web', [endpoint(one)], [{ name: 'http', protocol: 'TCP', port: 31_000 }]),
  );
  assert.match(complaints.join(), /a\/web: TCP 127\.0\.0\.1:31000: .*EADDRINUSE/);
  assert.ok(
    complaints.includes(
      'a/web says TCP port 31000 of 127.0.0.1 cannot be opened: another program of this machine has it',
    ),
  );
  assert.is(await told('10.96.1.1', 80), one);
  await blocked.stop();
  await until(async () => (await told('127.0.0.1', 31_000)) === one, 'the port is opened');
  await taken.stop();
});

spec.run();
