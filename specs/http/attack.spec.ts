import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { cookieName, sealTicket } from '../../http/auth/cookie.ts';
import { suite } from '../support/suite.ts';
import { sendRaw, statusesIn } from './raw.ts';
import { ask, passwordHash, serve, type Served, sessionKey } from './served.ts';

let served: Served;
const attack = suite('attack');
attack.before(async () => {
  served = await serve({}, { other: { role: 'admin', password: passwordHash, epoch: 4 } });
  await served.addApp('shop');
});
attack.after(() => served.stop());

const hostOf = () => new URL(served.url).host;
const headersOf = (answer: string) => answer.split('\r\n\r\n')[0]?.toLowerCase() ?? '';
const isProtected = (answer: string) => {
  const headers = headersOf(answer);
  for (const line of ['x-content-type-options: nosniff', 'x-frame-options: deny', 'content-security-policy: '])
    assert.match(headers, line, answer);
};
const reads = async (cookie: string) => (await served.askPlain('/api/v1/apps', { headers: { cookie } })).status;

attack('AUT-011 AUT-100 a forged cookie is rejected', async () => {
  const ticket = { username: 'admin', role: 'admin' as const, expiresAt: served.now() + 60_000, epoch: 0 };
  const [text = '', seal = ''] = sealTicket(ticket, sessionKey).split('.');
  const written = (change: object) => Buffer.from(JSON.stringify({ ...ticket, ...change })).toString('base64url');
  const sealed = (body: string, key: Buffer | string, algorithm = 'sha256') =>
    `${body}.${createHmac(algorithm, key).update(body).digest('base64url')}`;
  assert.is(await reads(`${cookieName}=${text}.${seal}`), 200, 'the true one');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const forged = [
    sealed(text, Buffer.alloc(32, 9)),
    sealed(text, ''),
    sealed(text, sessionKey, 'sha1'),
    sealed(text, sessionKey.toString('base64')),
    `${written({ username: 'other' })}.${seal}`,
    `${written({ expiresAt: 9e15 })}.${seal}`,
    `${text}.${seal.slice(0, -1)}`,
    `${text}.${seal.slice(0, 10)}`,
    `${text.slice(0, -1)}.${seal}`,
    `${text}.`,
    text,
    `.${seal}`,
    `${none}.${text}.`,
    `${none}.${text}.${seal}`,
    'null',
    '.',
    '..',
  ];
  for (const value of forged) assert.is(await reads(`${cookieName}=${value}`), 401, value);
  // Sealed with the true key, but never a valid ticket.
  for (const body of ['', 'AAAA', written({ username: '__proto__' }), written({ username: 'nobody' })])
    assert.is(await reads(`${cookieName}=${sealed(body, sessionKey)}`), 401, body);
});

attack('AUT-013 AUT-014 a session is rejected when its epoch differs or it was signed out', async () => {
  const of = (epoch: number) => served.cookieOf({ username: 'other', epoch });
  assert.is(await reads(of(4)), 200);
  for (const epoch of [0, 3, 5, -1]) assert.is(await reads(of(epoch)), 401, `${epoch}`);
  const cookie = of(4);
  await ask(`${served.url}/api/logout`, { method: 'POST', headers: { cookie, origin: served.url } });
  assert.is(await reads(cookie), 401);
});

attack('AUT-060 a malformed token identifies no caller and is never a session', async () => {
  const cookie = served.cookieOf();
  const texts = [
    'Bearer',
    'Bearer ',
    'Bearer  ',
    'bearer gsw_abcdefghij',
    'Bearer gsw_abcdefghij_',
    'BEARER GSW_ABCDEFGHIJ_ABCDEFGHIJABCDEFGHIJABCDEFGHIJAB',
    'Bearer gsw_abcdefghij_abcdefghijabcdefghijabcdefghijab',
    'Bearer gsp_abcdefghij_abcdefghijabcdefghijabcdefghijab',
    'Bearer __proto__',
    'Bearer constructor_constructor_constructor',
    `Bearer ${'a'.repeat(8000)}`,
    'Bearer a b',
    'Bearer \u00ff',
  ];
  for (const authorization of texts) {
    const status = (await served.askPlain('/api/v1/apps', { headers: { authorization } })).status;
    assert.is(status, 401, authorization);
    // Without a token there is no Bearer, and the rest counts as none.
    if (/^bearer\s+\S/i.test(authorization))
      assert.is((await served.askPlain('/api/v1/apps', { headers: { authorization, cookie } })).status, 401);
  }
});

attack('SEC-001 SEC-003 a form of a foreign page is rejected', async () => {
  const cookie = served.cookieOf();
  const { host, port } = new URL(served.url);
  const strange: readonly Record<string, string>[] = [
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: 'http://127.0.0.1' },
    { origin: `http://${host}.evil.example` },
    { origin: `http://${host}@evil.example` },
    { origin: `http://evil.example#${host}` },
    { origin: 'http://localhost' },
    { referer: `http://evil.example/${host}` },
    { referer: `http://${host}@evil.example/` },
    { referer: '' },
    { origin: 'file://' },
    {},
  ];
  const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'application/json'];
  for (const headers of strange)
    for (const type of types)
      for (const path of ['/api/v1/apps/shop/build', '/api/v1/apps/shop/build/cancel', '/api/logout']) {
        const body = 'a=1';
        const sent = { method: 'POST', body, headers: { cookie, 'content-type': type, ...headers } };
        const { status, text } = await ask(`${served.url}${path}`, sent);
        assert.is(status, 403, JSON.stringify([headers, path]));
        assert.is(text, '{"error":"request origin could not be verified"}');
      }
  assert.is(await reads(cookie), 200, 'no user was signed out');
});

attack('a WebSocket is refused with a response, whatever page opens it', async () => {
  const shake = (origin: string, path: string) =>
    sendRaw(
      served.url,
      [
        `GET ${path} HTTP/1.1`,
        `Host: ${hostOf()}`,
        `Origin: ${origin}`,
        `Cookie: ${served.cookieOf()}`,
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        '\r\n',
      ].join('\r\n'),
    );
  for (const path of ['/', '/api/v1/events', '/api/v1/terminals/x'])
    for (const [origin, status] of [
      [served.url, 400],
      ['http://evil.example', 403],
      ['null', 403],
    ] as const) {
      const answer = await shake(origin, path);
      assert.equal(statusesIn(answer), [status], `${path} from ${origin}`);
      isProtected(answer);
    }
});

attack('a request with a repeated parameter or field is rejected whole', async () => {
  for (const query of ['limit=1&limit=1000', 'app=shop&app=none', 'state=Failed&state=Running', 'limit=1&%6cimit=2'])
    assert.is((await served.ask(`/api/v1/builds?${query}`)).status, 400, query);
  const json = { 'content-type': 'application/json' };
  const body = '{"username":"admin","username":"other","password":"x"}';
  assert.is((await served.ask('/api/login', { method: 'POST', headers: json, body })).status, 400);
});

attack('a response never redirects to another host', async () => {
  const paths = [
    '//evil.example',
    '//evil.example/..',
    '/\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/login?next=//evil.example',
    '/login?next=https://evil.example',
    '/.//evil.example',
    '/assets//evil.example',
    '/api//evil.example',
    '/api/v1//evil.example/%2e%2e',
    '/%0d%0aLocation:%20http://evil.example',
  ];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await sendRaw(
        served.url,
        `${method} ${path} HTTP/1.1\r\nHost: ${hostOf()}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      const [status = 0] = statusesIn(answer);
      assert.ok(status === 200 || status >= 400, `${method} ${path} ${status}`);
      assert.not.match(headersOf(answer), /\r\n(location|refresh):/);
    }
});

attack('a path outside the folder of the dashboard is not served', async () => {
  const outside = `${served.dashboardDir}-secret.txt`;
  writeFileSync(outside, 'outside');
  const name = served.dashboardDir.split('/').at(-1) ?? '';
  const ways = ['..', '%2e%2e', '..%2f', '%2e%2e%2f', '..%5c', '..\\', '%c0%ae%c0%ae', '....//', '..;', '%252e%252e'];
  for (const way of ways)
    for (const path of [
      `/assets/${way}/${way}/${name}-secret.txt`,
      `/${way}/${name}-secret.txt`,
      `/assets/${way}${way}/etc/passwd`,
      `/${way}/package.json`,
      `/assets/dashboard.js%00.png`,
    ]) {
      const answer = await sendRaw(
        served.url,
        `GET ${path} HTTP/1.1\r\nHost: ${hostOf()}\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(
        statusesIn(answer).map((status) => status === 200),
        [false],
        path,
      );
      assert.not.match(answer, /outside|root:|core-platform/);
    }
  rmSync(outside);
});

attack('an ambiguous request that could be split by a proxy is rejected', async () => {
  const start = `POST /api/login HTTP/1.1\r\nHost: ${hostOf()}\r\nContent-Type: application/json\r\n`;
  const hidden = `GET /core-probe HTTP/1.1\r\nHost: ${hostOf()}\r\n\r\n`;
  const shapes = [
    `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ${hidden}`,
    `${start}Content-Length: 5, 5\r\n\r\n{}   ${hidden}`,
    `${start}Content-Length: +5\r\n\r\n{}   ${hidden}`,
    `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${start}Transfer-Encoding: chunked\r\n\r\n5\n{}   \n0\n\n${hidden}`,
    `${start}Transfer-Encoding: chunked\r\n\r\n0x5\r\n{}   \r\n0\r\n\r\n${hidden}`,
    `GET /core-probe HTTP/1.1\nHost: ${hostOf()}\n\n${hidden}`,
    `GET /core-probe HTTP/1.1\r\nHost: ${hostOf()}\r\nX: a\rY: b\r\n\r\n${hidden}`,
  ];
  for (const shape of shapes) {
    const answer = await sendRaw(served.url, shape);
    assert.equal(statusesIn(answer), [400], JSON.stringify(shape));
    isProtected(answer);
  }
});

attack('SEC-007 a request is rejected when it has no host, two hosts or an unknown one', async () => {
  const asked = (lines: string) =>
    sendRaw(served.url, `GET /api/session HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
  const host = hostOf();
  for (const lines of [
    '',
    'Host: \r\n',
    `Host: ${host}\r\nHost: evil.example\r\n`,
    'Host: evil.example; script-src *\r\n',
    'Host: evil.example/path\r\n',
    'Host: a@evil.example\r\n',
    'Host: evil.example:http\r\n',
  ]) {
    const answer = await asked(lines);
    assert.equal(statusesIn(answer), [400], lines);
    isProtected(answer);
    assert.not.match(headersOf(answer), 'evil');
  }
  assert.equal(statusesIn(await asked(`Host: ${host}\r\nX-Forwarded-Host: evil.example\r\n`)), [200]);
  const old = await sendRaw(served.url, 'GET /api/session HTTP/1.0\r\n\r\n');
  assert.equal(statusesIn(old), [200], 'HTTP/1.0 requires no Host');
});

attack('a request value never becomes a response header', async () => {
  for (const path of [
    '/api/v1/apps/%0d%0aX-Injected:%201',
    '/api/v1/machines/%0d%0aX-Injected:%201',
    '/api/v1/builds?state=%0d%0aX-Injected:%201',
    '/%0d%0aX-Injected:%201',
  ]) {
    const { headers } = await served.ask(path);
    assert.is(headers['x-injected'], undefined, path);
  }
  const folded = await sendRaw(
    served.url,
    `GET /api/session HTTP/1.1\r\nHost: ${hostOf()}\r\nIf-None-Match: a\r\n X-Injected: 1\r\nConnection: close\r\n\r\n`,
  );
  assert.not.match(headersOf(folded), 'x-injected');
});

attack('a method is taken from the request line only', async () => {
  const overrides = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };
  assert.is((await served.ask('/api/v1/apps', { headers: overrides })).status, 200);
  assert.is((await served.ask('/api/v1/apps?_method=DELETE', { headers: overrides })).status, 200);
  for (const method of ['DELETE', 'PUT', 'PATCH', 'PROPFIND'])
    assert.is((await served.ask('/api/v1/apps', { method })).status === 200, false, method);
  assert.not.ok((await served.ask('/', { method: 'TRACE', headers: { 'x-mark': 'traced' } })).text.includes('traced'));
  const tunnel = await sendRaw(served.url, `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${hostOf()}\r\n\r\n`);
  assert.equal(statusesIn(tunnel), [405]);
  isProtected(tunnel);
});

attack('an API response is not cacheable, except private reads', async () => {
  const keeps = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await served.ask(path, { method, headers })).headers['cache-control'];
  assert.is(await keeps('/api/v1/apps'), 'private, no-cache');
  assert.is(await keeps('/api/v1/me'), 'private, no-cache');
  for (const path of ['/api/session', '/api/v1/none', '/api/v1/apps/none', '/api', '/API/v1/apps', '/api/v1/apps/%zz'])
    assert.is(await keeps(path), 'no-store', path);
  assert.is(await keeps('/api/v1/apps', { cookie: '' }), 'no-store', 'refusals too');
  assert.is(await keeps('/api/v1/apps/shop/build', {}, 'POST'), 'no-store');
});

attack('a client is disconnected with an error when it holds back headers or a body', async () => {
  const { url, lines, stop } = await serve({ timeoutsMs: { headers: 1_500, request: 3_000 } });
  const { host } = new URL(url);
  const slow = [
    `GET /api/session HTTP/1.1\r\nHost: ${host}\r\n`,
    `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"user`,
    `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"use`,
    `POST /webhooks/git HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 50\r\n\r\n{`,
    // A route that takes no body waits for it too: until then nobody knows whether the request is refused.
    `POST /api/logout HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9999\r\n\r\n{`,
  ];
  for (const [index, answer] of (await Promise.all(slow.map((piece) => sendRaw(url, piece)))).entries()) {
    assert.equal(statusesIn(answer), [408], slow[index]);
    isProtected(answer);
  }
  assert.is(lines.filter(({ message }) => message === 'request failed').length, 0);
  await stop();
});

attack('a client gets an error when it sends too much', async () => {
  const start = `POST /api/login HTTP/1.1\r\nHost: ${hostOf()}\r\nContent-Type: application/json\r\n`;
  const chunk = `8000\r\n${'x'.repeat(0x80_00)}\r\n`;
  const chunks = await sendRaw(served.url, `${start}Transfer-Encoding: chunked\r\n\r\n`, chunk, chunk, chunk);
  assert.equal(statusesIn(chunks), [413]);
  const headers = await sendRaw(served.url, `GET / HTTP/1.1\r\nHost: ${hostOf()}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.equal(statusesIn(headers), [431]);
  isProtected(headers);
  const expecting = await sendRaw(served.url, `${start}Expect: the-unexpected\r\nContent-Length: 0\r\n\r\n`);
  assert.equal(statusesIn(expecting), [417]);
  isProtected(expecting);
});

attack.run();
