import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { pageOf } from '../../runtime/gitHost/page.ts';
import { type Product, password, startProduct } from '../support/product.ts';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';

/** Whatever a caller's text is put into, it can neither end the process nor write a header of its own. */
const spec = suite<{ product: Product }>('texts of a caller in response headers');
spec.before(async (context) => {
  context.product = await startProduct();
});
spec.after(async ({ product }) => {
  await product.end('SIGTERM');
  product.clean();
});

/** As bytes of the wire, each character one byte: what an HTTP client would not send. */
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const texts = [
  '\u00e9\u0080\u00ff',
  bytes('имя'),
  bytes('😀'),
  '"\\,;<>',
  '%0d%0aX-Injected: 1',
  '%E0%A4%A',
  '%D0%B8%D0%BC%D1%8F%0A',
  'a\tb',
  '\u007f',
  '\u0001',
  `[::1]:99999`,
  'x'.repeat(6_000),
];

const repeated =
  'Origin Referer User-Agent Accept Accept-Encoding If-None-Match If-Modified-Since Range X-Forwarded-For'
    .concat(
      ' X-Forwarded-Host X-Forwarded-Proto Content-Type Git-Protocol Impersonate-User Sec-WebSocket-Protocol Retry-After',
    )
    .split(' ');

const paths = [
  '/',
  '/api/login',
  '/api/v1/namespaces/core-system/configmaps',
  '/api/machines/build/instances',
  '/openapi/v3',
  '/metrics',
  '/x/y/info/refs',
];

/** Requests of somebody who is signed in, with a text in the path, in the query, and in one header at a time. */
function* requests(path: string, text: string, signedIn: string): Generator<string> {
  const inPath = text.replaceAll(/[\s\p{Cc}]/gu, '');
  const lines = (target: string, headers: string) =>
    `GET ${target} HTTP/1.1\r\n${headers}${signedIn}Connection: close\r\n\r\n`;
  for (const target of [`${path}${inPath}`, `${path}?${inPath}`, `${path}?fieldManager=${inPath}&page=${inPath}`])
    yield lines(target, 'Host: localhost\r\n');
  yield lines(path, `Host: ${text}\r\n`);
  for (const name of repeated) yield lines(path, `Host: localhost\r\n${name}: ${text}\r\n`);
}

const open = (url: string): Duplex => {
  const { hostname: host, port, protocol } = new URL(url);
  const to = { host, port: Number(port) };
  return protocol === 'https:' ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
};

/** The head that a server answers with; empty where it only hangs up. */
const headOf = (url: string, sent: string) =>
  new Promise<string>((done) => {
    const socket = open(url);
    let read = '';
    socket.on('data', (chunk: Buffer) => {
      read += chunk.toString('latin1');
      if (read.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => done(read.split('\r\n\r\n')[0] ?? ''));
    socket.write(sent, 'latin1');
  });

/** What says who asks, for each server of the product. */
async function servers({ endpoints }: Product): Promise<readonly (readonly [url: string, signedIn: string])[]> {
  const { dashboard, health, metrics, kubernetes, kubeconfig, gitHost } = endpoints;
  const { users } = parse(readFileSync(kubeconfig ?? '', 'utf8')) as { users: { user: { token: string } }[] };
  const body = JSON.stringify({ username: 'admin', password });
  const headers = { 'content-type': 'application/json' };
  const signedIn = await fetch(new URL('/api/login', dashboard ?? ''), { method: 'POST', headers, body });
  return [
    [dashboard ?? '', `Cookie: ${signedIn.headers.get('set-cookie')?.split(';')[0]}\r\n`],
    [kubernetes ?? '', `Authorization: Bearer ${users[0]?.user.token}\r\n`],
    ...[health, metrics, gitHost].map((url) => [url ?? '', ''] as const),
  ];
}

spec('no text in a path, a query or a header ends the process or injects a header', async ({ product }) => {
  let at = 0;
  for (const [url, signedIn] of await servers(product))
    for (const text of texts)
      for (const path of paths) {
        // In turn: every text comes to some of the paths, every path has some of the texts.
        if (!isChosen(at++, 12)) continue;
        const heads = await Promise.all([...requests(path, text, signedIn)].map((sent) => headOf(url, sent)));
        for (const head of heads) {
          assert.match(
            head,
            /^(HTTP\/1\.1 [2-4]\d\d .*|HTTP\/1\.1 503 .*)?(\r\n|$)/,
            `${url}${path} ${text.slice(0, 40)}`,
          );
          assert.not.match(head, /^X-Injected/im);
        }
      }
  assert.is((await fetch(new URL('/healthz', product.endpoints.health ?? ''))).status, 200);
  assert.not.match(product.stderr(), /uncaught|ERR_INVALID_CHAR/i);
});

spec('Link headers of pages contain only ASCII', () => {
  for (const text of texts) {
    const { link = '' } = pageOf([1, 2, 3], new URL(`http://localhost/x?per_page=1&page=2&q=${text}`)).headers;
    assert.match(link, /^[\x20-\x7e]+$/, text.slice(0, 40));
  }
});

spec('an injected answer with invalid headers ends only its request', async ({ product }) => {
  const git = product.endpoints.gitHost ?? '';
  const faults = (rules: readonly object[]) =>
    fetch(new URL('/testing/faults', git), { method: 'PUT', body: JSON.stringify({ rules }) });
  for (const headers of [
    { 'x-a': 'имя' },
    { 'x a': 'b' },
    { location: '/\r\nX-Injected: 1' },
    { 'retry-after': '\0' },
  ]) {
    await faults([{ path: '/told', status: 302, headers, times: 1 }]);
    const head = await headOf(git, 'GET /told HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 (500|422|302) /, JSON.stringify(headers));
    assert.not.match(head, /^X-Injected/im);
  }
  assert.is((await fetch(new URL('/healthz', product.endpoints.health ?? ''))).status, 200);
});

spec.run();
