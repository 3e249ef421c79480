import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { httpOutcome } from '../../runtime/embedded/nodes/podman/httpProbe.ts';
import { suite } from '../support/suite.ts';

const spec = suite('probes over HTTP');
/** The paths that were asked for, with the host that was named. */
const asked: string[] = [];

interface Answer {
  readonly status: number;
  readonly location?: string;
  readonly body?: string;
}
const to = (location: string, status = 302): Answer => ({ status, location });
const answers: Readonly<Record<string, Answer>> = {
  '/good': { status: 204 },
  '/bad': { status: 503 },
  '/to-good': to('/good', 308),
  '/to-bad': to('bad', 301),
  '/away': { ...to('http://elsewhere.example/good'), body: 'see there' },
  '/unchanged': { status: 304 },
  '/nowhere': { status: 302, body: 'x'.repeat(20_000) },
  '/round': to('/round'),
  '/mail': to('ftp://127.0.0.1/x'),
  '/garbled': to('http://['),
};

function answer({ url = '', headers, socket }: IncomingMessage, response: ServerResponse) {
  asked.push(`${url} ${headers.host ?? ''}`);
  const absolute = url === '/absolute' ? to(`http://127.0.0.1:${socket.localPort}/good`) : undefined;
  const { status, location, body = '' } = absolute ?? answers[url] ?? { status: 404 };
  // A program that writes its head by hand may end its lines so.
  if (url === '/bare') return void socket.end('HTTP/1.0 200 OK\nContent-Type: text/plain\n\nwell');
  response.writeHead(status, location === undefined ? {} : { Location: location }).end(body);
}

const server = createServer(answer);
let base = '';
spec.before(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
spec.after(() => void server.close());
spec.before.each(() => void asked.splice(0));

const probe = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  httpOutcome({ url: new URL(base + path), headers, signal: AbortSignal.timeout(10_000) });
const good = { fault: null, warning: null };

spec('redirects of the same host are followed, and the last answer counts', async () => {
  assert.equal(await probe('/good'), good);
  assert.equal(await probe('/to-good'), good);
  assert.equal(await probe('/absolute'), good);
  assert.equal(await probe('/to-bad'), { fault: 'HTTP probe failed with statuscode: 503', warning: null });
});

spec('a probe accepts response headers whose lines end without carriage returns', async () => {
  assert.equal(await probe('/bare'), good);
});

spec('a relative redirect keeps the Host header of the probe, and an absolute one replaces it', async () => {
  const Host = 'shop.example';
  await probe('/to-good', { Host });
  await probe('/absolute', { Host });
  const named = base.slice('http://'.length);
  assert.equal(asked, ['/to-good shop.example', '/good shop.example', '/absolute shop.example', `/good ${named}`]);
});

spec('a redirect to another host is not followed and counts as a success with a warning', async () => {
  const ended = 'Probe terminated redirects, Response body: ';
  assert.equal(await probe('/away'), { fault: null, warning: `${ended}see there` });
  assert.equal(await probe('/unchanged'), { fault: null, warning: ended });
  assert.equal(await probe('/nowhere'), { fault: null, warning: ended + 'x'.repeat(10_240) });
});

spec('a probe fails on an endless or unusable redirect', async () => {
  assert.equal(await probe('/round'), { fault: `Get "${base}/round": stopped after 10 redirects`, warning: null });
  assert.is(asked.length, 10);
  const { fault } = await probe('/mail');
  assert.is(fault, 'Get "ftp://127.0.0.1/x": unsupported protocol scheme "ftp"');
  const garbled = await probe('/garbled').catch(String);
  assert.is(garbled, 'Error: failed to parse Location header "http://["');
});

spec.run();
