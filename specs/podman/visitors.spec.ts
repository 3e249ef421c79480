import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestOf } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { WebSocket, WebSocketServer } from 'ws';
import { createServer } from 'node:http';
import { request as secureRequestOf, type RequestOptions as SecureOptions } from 'node:https';
import { issueCertificates } from '../../runtime/embedded/certificates.ts';
import { startNetwork } from '../../runtime/embedded/network/network.ts';
import { labelOf } from '../../runtime/embedded/network/loopback.ts';
import { type ServedNetwork, serveNetwork } from '../../runtime/embedded/network/serve.ts';
import type { NetworkChange } from '../../runtime/embedded/network/current.ts';
import type { Demanded } from '../../runtime/embedded/network/waking/demand.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { addressesHere, enterOwnNetwork, haveAddresses } from './ownNetwork.ts';
import { greeter, httpAt, tcpAt, told } from './plainServers.ts';
import {
  endpoint,
  certificateChange,
  ingressChange,
  podChange,
  serviceChange,
  sliceChange,
  wakeRouteChange,
} from './scene.ts';
import { serviceObject, sliceObject, storeOf } from './watchedStore.ts';

const missing = enterOwnNetwork();
const spec = suite('visitors of a machine');
const test = unless(spec, missing);

const [one, two, dead] = ['10.128.0.1', '10.128.0.2', '10.128.0.9'];
const options = {
  owner: 'abc123',
  podRange: '10.128.0.0/9',
  serviceRange: '10.96.0.0/16',
  dnsAddress: '10.96.0.10',
  ingressPort: 8080,
  ingressTlsPort: 8443,
  wakeProxy: { namespace: 'waking', name: 'proxy', address: '10.96.0.12', port: 8080 },
};
const demands: Demanded[] = [];
const host = 'hello.apps.localhost';
let network: ServedNetwork;

spec.before(() => {
  if (missing !== null) return;
  haveAddresses(one, two, dead);
  network = serveNetwork(options, { complain: () => {}, demand: (demand) => void demands.push(...demand) });
});

const tell = (...objects: readonly NetworkChange[]) => {
  network.put(objects);
  return network.settled();
};
const rules = [
  { host, http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { name: 'http' } } } }] } },
];
const behind = (...ips: readonly string[]) =>
  tell(
    serviceChange('a/web', '10.96.1.1'),
    sliceChange(
      'a/web',
      ips.map((ip) => endpoint(ip)),
    ),
    ingressChange('a/web', { rules }),
  );

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

type Visit = Omit<SecureOptions, 'headers'> & {
  readonly headers?: OutgoingHttpHeaders;
  readonly send?: typeof secureRequestOf;
};

async function visit(path: string, more: Visit = {}, body = ''): Promise<Answer> {
  const { send = requestOf } = more;
  const request = send({
    host: '127.0.0.1',
    port: 8080,
    path,
    agent: false,
    ...more,
    headers: { host, ...more.headers },
  });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode, text, headers: answer.headers };
}

test('a request is routed by its host, with forwarded headers for the service', async () => {
  const server = await httpAt(one, 8080, (request, response) => {
    response.setHeader('X-Own', 'kept');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify([request.method, request.url, request.headers]));
  });
  await behind(one);
  const { status, text, headers } = await visit('/x?y=1', { headers: { host: `${host}:8080`, 'x-mine': '1' } });
  const [method, url, got] = JSON.parse(text) as [string, string, IncomingMessage['headers']];
  assert.equal(
    [status, method, url, headers['x-own'], headers['set-cookie']],
    [200, 'GET', '/x?y=1', 'kept', ['a=1', 'b=2']],
  );
  assert.equal([got.host, got['x-mine']], [`${host}:8080`, '1']);
  assert.equal(
    [got['x-forwarded-for'], got['x-forwarded-proto'], got['x-forwarded-host']],
    ['127.0.0.1', 'http', `${host}:8080`],
  );
  await server.stop();
});

test('a request to a pod that is being replaced goes to the new pod', async () => {
  const next = await httpAt(two, 8080, (_, response) => response.end('the next'));
  const going = await httpAt(one, 8080, (request, response) => {
    void behind(two).then(() => request.socket.resetAndDestroy());
    response.on('error', () => {});
  });
  await behind(one);
  const { status, text } = await visit('/');
  assert.equal([status, text], [200, 'the next']);
  await behind(one);
  const { status: sent } = await visit('/', { method: 'POST' }, 'order');
  assert.is(sent, 502, 'what may change something is sent once');
  await Promise.all([next.stop(), going.stop()]);
});

test('a request to a pod that loses its network goes to the next pod, and its stream is closed', async () => {
  const silent = await tcpAt(two, 8080, () => {});
  const server = await httpAt(one, 8080, (_, response) => response.end('the next'));
  await tell(podChange('a/silent', two), podChange('a/web', one));
  await behind(two, one);
  const asking = [visit('/'), visit('/')];
  await until(() => silent.connections() > 0, 'the silent pod is asked');
  await tell(['pod a/silent', null]);
  for (const { text } of await Promise.all(asking)) assert.is(text, 'the next');
  await tell(podChange('a/silent', two));
  await behind(two);
  const stream = connect(80, '10.96.1.1');
  await once(stream, 'connect');
  await until(() => silent.connections() > 1, 'the silent pod is asked');
  await tell(['pod a/silent', null]);
  const [why] = (await once(stream, 'error')) as [NodeJS.ErrnoException];
  assert.is(why.code, 'ECONNRESET');
  await Promise.all([silent.stop(), server.stop()]);
});

test('CLI-198 DEP-062 a request for a sleeping service is counted and held until one of its pods is ready', async () => {
  const sleeper = 'sleeps.apps.localhost';
  const server = await httpAt(one, 8080, (request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece))).on('end', () => response.end(`${request.method} ${body}`));
  });
  const backend = { service: { name: 'sleeps-wake', port: { name: 'http' } } };
  const http = { paths: [{ path: '/', backend }] };
  const ports = [{ name: 'http', protocol: 'TCP', port: 8080, nodePort: 0 }];
  await tell(
    serviceChange('a/sleeps', '10.96.1.7'),
    sliceChange('a/sleeps', []),
    serviceChange('a/sleeps-wake', '', { externalName: 'proxy.waking.svc.cluster.local', ports }),
    ingressChange('a/sleeps', { rules: [{ host: sleeper, http }] }),
    wakeRouteChange('a/sleeps', 'sleeps', sleeper),
  );
  await network.settled();
  const asking = visit('/', { method: 'POST', headers: { host: sleeper } }, 'the body');
  await until(() => demands.length > 0, 'the request is reported');
  assert.equal(demands, [['a/sleeps', 1, 1]]);
  await tell(sliceChange('a/sleeps', [endpoint(one, { ready: false })]));
  await tell(sliceChange('a/sleeps', [endpoint(one)]));
  const { status, text } = await asking;
  assert.equal([status, text], [200, 'POST the body']);
  await until(() => demands.at(-1)?.[2] === 0, 'its end is reported');
  assert.is((await visit('/', { headers: { host: sleeper } })).text, 'GET ', 'one that is awake answers at once');
  const gone = new AbortController();
  await tell(sliceChange('a/sleeps', [endpoint(one, { ready: false, draining: true })]));
  const left = visit('/', { headers: { host: sleeper }, signal: gone.signal }).catch(() => 'left');
  await until(() => demands.at(-1)?.[2] === 1, 'one that is about to end is not asked');
  gone.abort();
  assert.is(await left, 'left');
  await until(() => demands.at(-1)?.[2] === 0, 'a visitor who left is counted no more');
  assert.is((await visit('/', { host: '10.96.0.12' })).status, 404, 'of another host the proxy knows nothing');
  await tell(['ingress a/sleeps', null], ['wakeRoute a/sleeps', null]);
  await server.stop();
});

test('an unknown host is 404, a Service without ready pods 503, and a silent one 502', async () => {
  await behind();
  assert.equal(
    [(await visit('/', { headers: { host: 'no.localhost' } })).status, (await visit('/')).status],
    [404, 503],
  );
  await behind(dead);
  const { status, text } = await visit('/');
  assert.equal([status, text], [502, `No pod behind ${host}/ answered.\n`]);
});

test('request and response bodies are streamed, and an aborted response aborts the visitor', async () => {
  const server = await httpAt(one, 8080, (request, response) => {
    if (request.url === '/begun') response.flushHeaders();
    else if (request.url === '/cut') {
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    } else request.pipe(response);
  });
  await behind(one);
  const request = requestOf({ host: '127.0.0.1', port: 8080, method: 'POST', agent: false, headers: { host } });
  request.write('first');
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const [first] = (await once(answer, 'data')) as [Buffer];
  request.end('last');
  const [last] = (await once(answer, 'data')) as [Buffer];
  assert.equal([String(first), String(last)], ['first', 'last']);
  const begun = requestOf({ host: '127.0.0.1', port: 8080, path: '/begun', agent: false, headers: { host } });
  begun.on('error', () => {}).end();
  assert.is(((await once(begun, 'response')) as [IncomingMessage])[0].statusCode, 200);
  begun.destroy();
  const cut = await visit('/cut').catch((why: unknown) => (why as NodeJS.ErrnoException).code);
  assert.is(cut, 'ECONNRESET');
  await server.stop();
});

test('a safe request is retried on another copy when a copy resets the connection, an unsafe one is not', async () => {
  const closes = await tcpAt(one, 8080, (socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const server = await httpAt(two, 8080, (_, response) => void response.end(two));
  await behind(one, two);
  const gets = await Promise.all(Array.from({ length: 4 }, () => visit('/')));
  assert.equal([...new Set(gets.map(({ status, text }) => `${status} ${text}`))], [`200 ${two}`]);
  const posts = [];
  for (let turn = 0; turn < 4; turn++) posts.push((await visit('/', { method: 'POST' }, 'body')).status);
  assert.equal(
    posts.toSorted((one, other) => (one ?? 0) - (other ?? 0)),
    [200, 200, 502, 502],
  );
  await Promise.all([closes.stop(), server.stop()]);
});

test('a disconnect of a visitor is passed to the service', async () => {
  let left = false;
  const server = await httpAt(one, 8080, (_, response) => {
    response.write('begun');
    response.on('close', () => (left = true));
  });
  await behind(one);
  const request = requestOf({ host: '127.0.0.1', port: 8080, agent: false, headers: { host } });
  request.on('error', () => {}).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  request.destroy();
  await until(() => left, 'the service sees it');
  await server.stop();
});

test('each HTTPS host uses the certificate of its own Secret, and a host without one is refused', async () => {
  const server = await httpAt(
    one,
    8080,
    (request, response) => void response.end(request.headers['x-forwarded-proto']),
  );
  const secure = 'secure.example.com';
  const [issued, other] = [await issueCertificates([secure]), await issueCertificates(['*.example.org'])];
  const [rule] = rules;
  await behind(one);
  const elder = ingressChange('a/secure', {
    rules: [secure, 'a.example.org', 'broken.example.com'].map((name) => ({ ...rule, host: name })),
    tls: [
      { hosts: [secure], secretName: 'secure-tls' },
      { hosts: ['*.example.org'], secretName: 'other-tls' },
      { hosts: ['broken.example.com'], secretName: 'broken-tls' },
    ],
  });
  await tell(
    elder,
    certificateChange('a/secure-tls', issued.certificate, issued.key),
    certificateChange('a/other-tls', other.certificate, other.key),
    certificateChange('a/broken-tls', 'no certificate', issued.key),
  );
  const secureVisit = (servername: string, ca: string) =>
    visit('/', { send: secureRequestOf, port: 8443, servername, ca, headers: { host: `${servername}:8443` } }).then(
      ({ status, text }) => `${status} ${text}`,
      (why: unknown) => String(why),
    );
  assert.is(await secureVisit(secure, issued.ca), '200 https');
  assert.is(await secureVisit('a.example.org', other.ca), '200 https');
  assert.match(await secureVisit(host, issued.ca), /ECONNRESET|disconnected|socket hang up|alert/);
  assert.match(await secureVisit('broken.example.com', issued.ca), /ECONNRESET|disconnected|socket hang up|alert/);
  const young = { rules: [], tls: [{ hosts: [secure], secretName: 'other-tls' }] };
  await tell(['ingress a/secure', null], ingressChange('a/young', young, '2030-01-02T00:00:00Z'), elder);
  assert.is(await secureVisit(secure, issued.ca), '200 https', 'the older Ingress holds');
  const renewed = await issueCertificates([secure]);
  await tell(certificateChange('a/secure-tls', renewed.certificate, renewed.key));
  assert.is(await secureVisit(secure, renewed.ca), '200 https');
  await server.stop();
});

test('WebSockets are proxied, and refused when no pod answers', async () => {
  const http = createServer();
  new WebSocketServer({ server: http }).on('connection', (socket) => {
    socket.on('message', (data) => socket.send(`${(data as Buffer).toString()} back`));
  });
  await new Promise<void>((done) => http.listen(8080, one, done));
  await behind(one);
  const socket = new WebSocket('ws://127.0.0.1:8080/live', { headers: { host } });
  await once(socket, 'open');
  socket.send('there and');
  assert.is(String(((await once(socket, 'message')) as [Buffer])[0]), 'there and back');
  socket.close();
  await once(socket, 'close');
  await behind(dead);
  const refused = new WebSocket('ws://127.0.0.1:8080/live', { headers: { host } });
  assert.match(String(((await once(refused, 'error')) as [Error])[0]), /503/);
  http.closeAllConnections();
  http.close();
});

test('malformed HTTP requests are refused, and the next visitor is served', async () => {
  const server = await httpAt(one, 8080, (_, response) => void response.end('fine'));
  await behind(one);
  for (const text of [
    '\0\0\0\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
  ]) {
    const client = connect(8080, '127.0.0.1');
    client.write(text);
    const [answer] = (await once(client, 'data')) as [Buffer];
    assert.match(String(answer), /^HTTP\/1\.1 4\d\d /, JSON.stringify(text));
    client.destroy();
  }
  assert.is((await visit('/')).text, 'fine');
  await server.stop();
});

test('the network process is replaced with its addresses when it dies, and removes them when it ends', async () => {
  await network.stop();
  assert.is(addressesHere().has('10.96.1.1'), false);
  const servers = [await greeter(one), await greeter(two)];
  const { store, put } = storeOf(
    new Map([
      ['/services web', serviceObject],
      ['discovery.k8s.io/endpointslices web-1', sliceObject(one)],
    ]),
  );
  const said: string[] = [];
  const started = startNetwork(store, options, {
    log: (_, message, fields) => said.push(`${message} ${JSON.stringify(fields)}`),
    uncaught: ({ fields }) => said.push(JSON.stringify(fields)),
  });
  await started.settled();
  assert.is(await told('10.96.1.1', 80), one);
  assert.is(addressesHere().get('10.96.1.1'), labelOf(options.owner));
  process.kill(started.pid() ?? 0, 'SIGKILL');
  put('discovery.k8s.io/endpointslices web-1', sliceObject(two));
  await started.settled();
  assert.is(await told('10.96.1.1', 80), two);
  assert.match(said.join(), /started again/);
  await started.stop();
  assert.equal(
    [...addressesHere().keys()].filter((ip) => ip.startsWith('10.96.')),
    [],
  );
  await pause(0);
  await Promise.all(servers.map(({ stop }) => stop()));
});

spec.run();
