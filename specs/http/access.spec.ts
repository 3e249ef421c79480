import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { isSameOrigin } from '../../http/auth/origin.ts';
import { routes } from '../../rules/access/routes.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { ask, serve, type Served, passwordHash, sessionKey } from './served.ts';
import { cookieName, openTicket, sealTicket } from '../../http/auth/cookie.ts';

let served: Served;
const access = suite('access');
access.before(async () => {
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
  await served.addApp('shop');
});
access.after(() => served.stop());

const open = ['POST /login', 'POST /logout', 'GET /session', 'POST /auth/device', 'POST /auth/token'];
const names: Readonly<Record<string, string>> = { app: 'shop', build: 'shop-build-1', machine: 'build' };
/** Every route, with the names of existing objects. */
const filled = Object.keys(routes).map((route) =>
  route.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name),
);
/** The paths of document 1, including the unimplemented ones, and one that will never exist. */
const documented = [
  'POST /apps/shop/build',
  'POST /apps/shop/build/cancel',
  'POST /apps/shop/rollback',
  'POST /apps/shop/console/create',
  'GET /apps/shop/console/ws?session=x',
  'POST /object-stores/store/console/create',
  'GET /object-stores/store/console/stream?session=x',
  'GET /no-such-thing',
];
const guarded = [...filled.filter((route) => !open.includes(route)), ...documented];
const split = (route: string): readonly [string, string] => {
  const [method = '', path = ''] = route.split(' ');
  return [method, path];
};

access('API-001 API-016 SEC-011 a path under /api/ requires a session unless it is public', async () => {
  for (const route of guarded)
    for (const prefix of ['/api', '/api/v1', '/API/V1', '/api//v1']) {
      const [method, path] = split(route);
      const { status, text } = await served.askPlain(`${prefix}${path}`, { method });
      assert.is(status, 401, `${method} ${prefix}${path}`);
      assert.is(text, '{"error":"sign in first"}');
    }
});

access('API-011 API-012 API-013 API-014 API-015 a public path answers without a session', async () => {
  const told = await Promise.all(
    [
      'POST /api/logout',
      'GET /api/v1/session',
      'GET /core-probe',
      'GET /assets/dashboard.js',
      'GET /',
      'GET /builds/x',
    ].map(async (route) => {
      const [method, path] = split(route);
      return (await served.askPlain(path, { method })).status;
    }),
  );
  assert.equal(told, [200, 200, 200, 200, 200, 200]);
  assert.is((await served.askPlain('/api/login', { method: 'POST' })).status, 415);
  assert.is((await served.askPlain('/webhooks/git', { method: 'POST' })).status, 401);
  assert.is((await served.askPlain('/api/session')).text, '{"authenticated":false}');
  const probe = await served.askPlain('/core-probe');
  assert.is(probe.text, '{"service":"core","ok":true}');
  assert.is(probe.headers['cache-control'], 'no-store');
});

access(
  'SEC-004 SEC-005 SEC-006 SEC-007 SEC-008 SEC-009 SEC-010 every response carries the security headers',
  async () => {
    const policy = (host: string) =>
      `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'${host}; frame-ancestors 'none'; base-uri 'self'; form-action 'self' https://github.com`;
    const paths = [
      '/',
      '/assets/dashboard.js',
      '/assets/none.js',
      '/api/v1/apps',
      '/api/none',
      '/core-probe',
      '/webhooks/git',
      '/%zz',
    ];
    for (const path of paths)
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'BREW'].slice(0, 5)) {
        const { headers } = await served.ask(path, { method });
        const { host } = new URL(served.url);
        assert.is(headers['content-security-policy'], policy(` wss://${host}`), `${method} ${path}`);
        assert.is(headers['x-content-type-options'], 'nosniff');
        assert.is(headers['x-frame-options'], 'DENY');
        assert.is(headers['referrer-policy'], 'same-origin');
      }
    const strange = await served.askPlain('/', { headers: { host: 'evil; script-src *' } });
    assert.is(strange.headers['content-security-policy'], policy(''), 'a strange host gets into no policy');
  },
);

access('SEC-004 a response to a malformed request line carries the security headers', async () => {
  const { hostname, port } = new URL(served.url);
  const text = await new Promise<string>((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => socket.write('NOT HTTP AT ALL\r\n\r\n'));
    socket.on('data', (part) => (got += part.toString())).on('close', () => resolve(got));
  });
  assert.match(text, /^HTTP\/1\.1 400 /);
  assert.match(text, 'X-Frame-Options: DENY');
});

access('API-036 every route is served with and without its version', async () => {
  for (const route of filled) {
    const [method, path] = split(route);
    for (const prefix of ['/api', '/api/v1']) {
      const { status, headers } = await served.ask(`${prefix}${path}`, { method: 'PUT' });
      assert.is(status, 405, `PUT ${prefix}${path}`);
      assert.ok(headers.allow?.split(', ').includes(method), `${headers.allow} of ${prefix}${path}`);
    }
  }
  const headers = { cookie: served.cookieOf() };
  for (const path of ['/apps', '/builds', '/databases', '/machines', '/me', '/session']) {
    const [plain, versioned] = [
      await served.ask(`/api${path}`, { headers }),
      await served.ask(`/api/v1${path}`, { headers }),
    ];
    assert.is(plain.status, 200);
    assert.is(plain.text, versioned.text);
  }
});

access('a refusal is JSON when the address, the method or the body is wrong', async () => {
  const asked = async (path: string, method: string, headers = {}, body = '') => {
    const { status, text, headers: given } = await served.ask(path, { method, headers, body });
    assert.match(given['content-type'] ?? '', 'application/json', `${method} ${path}`);
    assert.not.match(text, /at .*:\d+/, 'no stack');
    assert.type((JSON.parse(text) as { error?: unknown }).error, 'string');
    return [status, given.allow ?? ''];
  };
  const json = { 'content-type': 'application/json' };
  assert.equal(await asked('/api/v1/nothing', 'GET'), [404, '']);
  assert.equal(await asked('/api/v1/apps/none', 'GET'), [404, '']);
  assert.equal(await asked('/api/v1/apps/No_Name', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/apps/%zz', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/apps/%2e%2e', 'GET'), [404, '']);
  assert.equal(await asked('/api/v1/apps', 'DELETE'), [405, 'HEAD, GET, POST']);
  assert.equal(await asked('/api/v1/builds', 'DELETE'), [405, 'HEAD, GET']);
  assert.equal(await asked('/api/v1/login', 'GET'), [405, 'POST']);
  assert.equal(await asked('/webhooks/git', 'GET'), [405, 'POST']);
  assert.equal(await asked('/', 'POST'), [405, 'GET, HEAD']);
  assert.equal(await asked('/api/login', 'POST', json, '{"username":'), [400, '']);
  assert.equal(await asked('/api/login', 'POST', json, '[]'), [400, '']);
  assert.equal(await asked('/api/login', 'POST', json, '{"__proto__":{"username":"admin"}}'), [400, '']);
  assert.equal(await asked('/api/login', 'POST', json, '{"username":"admin","password":7}'), [400, '']);
  assert.equal(await asked('/api/login', 'POST', json, `{"username":"${'x'.repeat(70_000)}"}`), [413, '']);
  assert.equal(await asked('/api/login', 'POST', { 'content-type': 'text/plain' }, 'admin'), [415, '']);
  assert.equal(await asked('/api/v1/builds?limit=0', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/builds?limit=1001', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/builds?limit=ten', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/builds?limit=1&limit=2', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/builds?state=happy', 'GET'), [400, '']);
  assert.equal(await asked('/api/v1/machines/none', 'GET'), [404, '']);
  assert.equal(await asked('/api/v1/machines/build/instances?retrying=maybe', 'GET'), [400, '']);
});

access('AUT-013 AUT-100 a cookie is rejected when it was changed, has expired or is of another key', async () => {
  const good = served.cookieOf();
  const status = async (cookie: string) => (await served.askPlain('/api/me', { headers: { cookie } })).status;
  assert.is(await status(good), 200);
  assert.is(await status(`other=1; ${good}; more=2`), 200, 'among other cookies');
  const [name = '', value = ''] = good.split(/=(.*)/);
  const [body = '', seal = ''] = value.split('.');
  const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('admin', 'root')).toString('base64url');
  const wrong = [
    `${name}=`,
    `${name}=${body}`,
    `${name}=${body}.`,
    `${name}=${forged}.${seal}`,
    `${name}=${body}.${seal.slice(0, -2)}AA`,
    `${name}=${body}.${seal}.${seal}`,
    `${name}=%00.${seal}`,
    `x${name}=${value}`,
    served.cookieOf({ expiresAt: served.now() - 1 }),
    served.cookieOf({ epoch: 1 }),
    served.cookieOf({ username: 'ghost' }),
    `${cookieName}=${sealTicket({ username: 'admin', role: 'admin', expiresAt: served.now() + 9e5, epoch: 0 }, Buffer.alloc(32, 8))}`,
  ];
  for (const cookie of wrong) assert.is(await status(cookie), 401, cookie);
});

access('AUT-011 AUT-012 the cookie carries username, role, expiry and epoch under the session key', () => {
  const ticket = { username: 'admin', role: 'admin' as const, expiresAt: 5, epoch: 3 };
  assert.equal(openTicket(sealTicket(ticket, sessionKey), sessionKey), ticket);
  assert.is(openTicket(sealTicket(ticket, sessionKey), Buffer.alloc(32, 1)), null);
});

access('AUT-013 AUT-102 a session has the current role of its user, not the role at sign-in', async () => {
  const cookie = served.cookieOf({ username: 'viewer', role: 'admin' });
  assert.is((await served.askPlain('/api/v1/apps', { headers: { cookie } })).status, 200);
  const { origin } = new URL(served.url);
  const asked = { method: 'POST', headers: { cookie, origin } };
  const { status, text } = await served.askPlain('/api/v1/apps/shop/build', asked);
  assert.is(status, 403);
  assert.match(text, 'your role changes nothing');
});

access('SEC-002 a write with a Bearer token is accepted without an Origin', async () => {
  const { token } = await served.makeToken();
  await served.addApp('borne');
  const headers = { cookie: served.cookieOf(), origin: 'https://evil.example', authorization: `Bearer ${token}` };
  const asked = { method: 'POST', headers };
  assert.is((await served.askPlain('/api/v1/apps/borne/build', asked)).status, 200);
  const { authorization: _, ...withCookie } = headers;
  assert.is((await served.askPlain('/api/v1/apps/borne/build', { ...asked, headers: withCookie })).status, 403);
});

access('a Bearer token takes precedence over a cookie and is never a session', async () => {
  const { status } = await served.ask('/api/v1/apps', { headers: { authorization: 'Bearer gsw_x_y' } });
  assert.is(status, 401);
});

access('SEC-001 SEC-003 a write with the cookie is accepted only from a page of the dashboard', async () => {
  const { host } = new URL(served.url);
  const matrix: readonly (readonly [Record<string, string>, number])[] = [
    [{ origin: `http://${host}` }, 200],
    [{ origin: `http://${host}`, referer: 'http://evil.example/' }, 200],
    [{ referer: `http://${host}/builds/x` }, 200],
    [{}, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://evil.example' }, 403],
    [{ origin: 'http://evil.example', referer: `http://${host}/` }, 403],
    [{ referer: `http://evil.example/?${host}` }, 403],
    [{ origin: `http://${host}.evil.example` }, 403],
    [{ origin: `http://${host.replace(/\d$/, '')}` }, 403],
    [{ origin: 'nonsense' }, 403],
    [{ origin: '' }, 403],
  ];
  const cookie = served.cookieOf();
  for (const [headers, expected] of matrix) {
    const asked = await ask(`${served.url}/api/v1/builds/shop-build-1/reconcile`, {
      method: 'POST',
      headers: { cookie, ...headers },
    });
    assert.is(asked.status, expected, JSON.stringify(headers));
    if (expected === 403) assert.is(asked.text, '{"error":"request origin could not be verified"}');
  }
  const read = await ask(`${served.url}/api/v1/apps`, { headers: { cookie, origin: 'http://evil.example' } });
  assert.is(read.status, 200, 'reads are not checked');
  assert.is((await served.askPlain('/api/logout', { method: 'POST' })).status, 200, 'nor writes without the cookie');
});

const isOfDevices = (path: string) => path === '/auth/device' || path === '/auth/token';

access('SEC-003 a writing route refuses the cookie when the page is foreign', async () => {
  const headers = { cookie: served.cookieOf(), origin: 'http://evil.example' };
  for (const route of filled.filter((one) => !one.startsWith('GET '))) {
    const [method, path] = split(route);
    const { status, text } = await served.askPlain(`/api/v1${path}`, { method, headers });
    // The two routes of command lines respond only with codes (RFC 6749).
    const why = isOfDevices(path) ? 'invalid_request' : 'request origin could not be verified';
    assert.equal([status, text], [403, JSON.stringify({ error: why })], route);
  }
});

access('SEC-001 an origin is compared with its port, without default ports', () => {
  assert.ok(isSameOrigin({ origin: 'https://core.example', host: 'core.example:443' }));
  assert.ok(isSameOrigin({ origin: 'https://CORE.example', host: 'core.example' }));
  assert.not.ok(isSameOrigin({ origin: 'https://core.example', host: 'core.example:8443' }));
  assert.not.ok(isSameOrigin({ origin: 'http://core.example:80', host: 'core.example:443' }));
});

access('SEC-034 a request is logged with method, path, status and duration only', async () => {
  served.lines.length = 0;
  await served.ask('/api/v1/builds?app=secret-search', { headers: { 'user-agent': 'spy' } });
  const line = await until(() => served.lines.find(({ message }) => message === 'request'), 'the request is logged');
  assert.equal(Object.keys(line.fields ?? {}), ['method', 'path', 'status', 'ms']);
  assert.match(JSON.stringify(line), '"path":"/api/v1/builds"');
});
access('an unexpected failure is logged with its cause and answered without it', async () => {
  const other = await serve({
    webhookSecret: () => {
      throw new Error('boom at /secret/path.ts:7');
    },
  });
  const { status, text, headers } = await other.askPlain('/webhooks/git', { method: 'POST', body: '{}' });
  assert.is(status, 500);
  assert.is(text, '{"error":"internal error; see the operator log"}');
  assert.is(headers['x-frame-options'], 'DENY');
  assert.match(JSON.stringify(other.lines), 'boom at');
  await other.stop();
});
access.run();
