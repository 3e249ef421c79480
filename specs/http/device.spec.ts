import * as assert from 'uvu/assert';
import { createHash } from 'node:crypto';
import { Context, Effect } from 'effect';
import type { DeviceStart, DeviceToken } from '../../http/api.ts';
import { tokenSecret } from '../../http/auth/tokens/records.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Unavailable, Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';
import { until, type TestEnvironment } from '../support/environment.ts';
import { type DeviceClient, deviceClient, error } from './deviceClient.ts';
import { password, passwordHash, serve, type Served } from './served.ts';

const spec = suite('device sign-in');
let served: Served;
let client: DeviceClient;
/** Whether writes of the HTTP server fail, and whether they are slow. */
const cluster = { isAway: false, isSlow: false };

const interfered = (services: TestEnvironment['services']): TestEnvironment['services'] => {
  const real = Context.get(services, Cluster);
  const over = <A, E>(write: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const done: Effect.Effect<A, E | Unavailable> = cluster.isAway
        ? Effect.fail(new Unavailable({ message: 'nobody answers' }))
        : write;
      return cluster.isSlow ? Effect.delay(done, '100 millis') : done;
    });
  const create: ClusterShape['create'] = (...given) => over(real.create(...given));
  const patch: ClusterShape['patch'] = (...given) => over(real.patch(...given));
  return Context.add(services, Cluster, { ...real, create, patch });
};
spec.before.each(async () => {
  Object.assign(cluster, { isAway: false, isSlow: false });
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } }, interfered);
  await until(() => served.operator.isLeading(), 'the replica is leader');
  client = deviceClient(served);
});
spec.after.each(() => served.stop());

const minute = 60_000;
const json = { 'content-type': 'application/json' };
const statusOf = async (token: string) => (await served.askAs(token, '/api/v1/me')).status;

spec('DEV-001 DEV-002 DEV-003 DEV-020 a device start returns both codes and the address of the page', async () => {
  const { origin } = new URL(served.url);
  const { user_code: userCode, device_code: deviceCode, ...rest } = await client.started();
  assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.is(Buffer.from(deviceCode, 'base64url').length, 32);
  assert.equal(rest, {
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?code=${userCode}`,
    expires_in: 600,
    interval: 5,
  });
});

spec(
  'DEV-019 the device paths accept JSON, a form or no body without a session, with and without the version',
  async () => {
    for (const prefix of ['/api', '/api/v1']) {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const asked = [
        { method: 'POST', headers: form, body: 'client_name=my+shell' },
        { method: 'POST', headers: json, body: '{}' },
        { method: 'POST' },
      ];
      const clients = [];
      for (const one of asked) {
        const { user_code: code } = (await served.askPlain(`${prefix}/auth/device`, one)).json() as DeviceStart;
        clients.push((await client.review(code)).client);
      }
      assert.equal(clients, ['my shell', 'unknown client', 'unknown client']);
      const polled = await served.askPlain(`${prefix}/auth/token`, {
        method: 'POST',
        headers: form,
        body: 'device_code=x&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code',
      });
      assert.equal([polled.status, polled.json()], error('expired_token'));
    }
  },
);

spec('an admin reviews the client of a request and the grantable access', async () => {
  const { user_code: code } = await client.started({ client_name: ' laptop of 開発者 ' });
  const { issuedAt, expiresAt, address, ...rest } = await client.review(code);
  assert.match(address, /^198\.51\.100\.\d+$/);
  assert.is(Date.parse(expiresAt) - Date.parse(issuedAt), 10 * minute);
  assert.equal(rest, {
    user_code: code,
    client: 'laptop of 開発者',
    state: 'pending',
    accesses: ['observer', 'viewer', 'admin'],
    lifetimes: [7, 30, 90],
  });
  for (const written of [code.toLowerCase(), code.replace('-', ''), `%20${code.slice(0, 2)}%20${code.slice(2)}-`])
    assert.is((await client.review(written)).user_code, code, written);
  assert.is((await served.ask('/api/v1/auth/device/BBBB-BBBB')).status, 404);
});

spec('DEV-010 DEV-011 DEV-012 DEV-022 DEV-027 DEV-028 AUT-092 an approved device gets its token once', async () => {
  const { user_code: code, device_code: device } = await client.started();
  assert.equal(await client.told(device), error('authorization_pending'));
  const approved = await client.approve(code, { access: 'admin', days: 30 });
  assert.equal([approved.status, approved.json()], [200, { user_code: code, state: 'approved' }]);
  assert.equal(await client.tokens(), [], 'no token before it is collected');
  assert.is((await client.review(code)).state, 'approved');

  const [status, body] = await client.told(device);
  const { access_token: token, ...rest } = body as DeviceToken;
  assert.is(status, 200);
  assert.equal(rest, { token_type: 'Bearer', expires_in: 30 * 86_400 });
  assert.match(token, /^gsw_[a-z2-7]{10}_[a-z2-7]{32}$/);
  assert.is(await statusOf(token), 200);
  assert.is((await client.review(code)).state, 'issued');
  for (let again = 0; again < 3; again++) assert.equal(await client.told(device), error('expired_token'));

  const [made, ...more] = await client.tokens();
  assert.equal(more, []);
  assert.equal(
    [made?.name, made?.role, made?.kind, made?.createdBy, token.split('_')[1]],
    ['laptop', 'admin', 'workspace', 'admin', made?.id],
  );
  const lifetime = Date.parse(made?.expiresAt ?? '') - Date.parse(made?.createdAt ?? '');
  assert.is(lifetime, 30 * 24 * 60 * minute);
  const line = served.lines.find(({ message }) => message === 'Approved a command-line sign-in');
  assert.equal(line?.fields, { tokenId: made?.id, role: 'admin', client: 'laptop', approver: 'admin' });
  for (const secret of [token.split('_')[2] ?? '', device, code.replace('-', '')])
    assert.not.match(JSON.stringify(served.lines.filter(({ message }) => message !== 'request')), secret);
});

spec('DEV-008 DEV-009 DEV-022 an approval defaults to observer and allows 7, 30 or 90 days', async () => {
  for (const days of [7, 30, 90]) {
    const { user_code: code, device_code: device } = await client.started({ client_name: `for ${days}` });
    for (const bad of [{}, { days: 8 }, { days, access: 'owner' }]) {
      const { status, json: body } = await client.approve(code, bad);
      const text = 'the access is one of admin, observer, viewer, the lifetime one of 7, 30, 90 days';
      assert.equal([status, body()], [400, { error: text }], JSON.stringify(bad));
    }
    assert.is((await client.approve(code, { days })).status, 200);
    assert.is(((await client.told(device))[1] as DeviceToken).expires_in, days * 86_400);
  }
  assert.equal(
    (await client.tokens()).map(({ role }) => role),
    ['observer', 'observer', 'observer'],
  );
});

spec('DEV-007 DEV-033 a request is decided once, and an unknown code is refused', async () => {
  const [first, other] = [await client.started(), await client.started()];
  assert.is((await client.approve(first.user_code)).status, 200);
  assert.is((await client.deny(other.user_code)).status, 200);
  const again = async (code: string) => [(await client.approve(code)).status, (await client.deny(code)).status];
  assert.equal(await again(first.user_code), [409, 409]);
  assert.equal(await again(other.user_code), [409, 409]);
  await client.poll(first.device_code);
  assert.equal(await again(first.user_code), [409, 409]);
  assert.equal(await again('BBBBBBBB'), [404, 404]);
  assert.is((await served.post('/api/v1/auth/device/approve', { days: 7 })).status, 400);
});

spec('DEV-016 DEV-023 DEV-031 a denied device gets access_denied, and the log contains no code', async () => {
  const { user_code: code, device_code: device } = await client.started();
  const denied = await client.deny(code);
  assert.equal([denied.status, denied.json()], [200, { user_code: code, state: 'refused' }]);
  assert.equal(await client.told(device), error('access_denied'));
  assert.equal(
    served.lines.filter(({ message }) => message !== 'request'),
    [],
  );
  assert.equal(await client.tokens(), []);
});

spec(
  'DEV-015 DEV-024 a token, a viewer or a caller without a session neither reviews nor decides a request',
  async () => {
    const { user_code: code, device_code: device } = await client.started();
    const callers = [
      ...(await Promise.all(['admin', 'observer', 'viewer'].map((role) => served.makeToken({ role })))).map(
        ({ token }) => [{ authorization: `Bearer ${token}` }, 403] as const,
      ),
      [{ cookie: served.cookieOf({ username: 'viewer', role: 'viewer' }) }, 403] as const,
      [{ cookie: '' }, 401] as const,
    ];
    for (const [headers, status] of callers) {
      assert.is((await client.approve(code, { days: 7 }, headers)).status, status);
      assert.is((await client.deny(code, headers)).status, status);
      assert.is((await served.ask(`/api/v1/auth/device/${code}`, { headers })).status, status);
    }
    assert.equal(await client.told(device), error('authorization_pending'));
    assert.is((await client.review(code)).state, 'pending');
  },
);

spec('DEV-018 any admin may approve a request', async () => {
  await served.setUser('other', { role: 'admin', password: passwordHash, epoch: 0 });
  const { user_code: code, device_code: device } = await client.started();
  const { status } = await client.approve(code, { days: 7 }, { cookie: served.cookieOf({ username: 'other' }) });
  assert.is(status, 200);
  await client.poll(device);
  assert.is((await client.tokens())[0]?.createdBy, 'other');
});

spec('DEV-012 DEV-027 concurrent polls get one token', async () => {
  const { user_code: code, device_code: device } = await client.started();
  await client.approve(code);
  cluster.isSlow = true;
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.told(device)));
  assert.is(answers.filter(([status]) => status === 200).length, 1);
  for (const [status, body] of answers) if (status !== 200) assert.equal(body, { error: 'expired_token' });
  assert.is((await client.tokens()).length, 1);
});

spec(
  'DEV-012 DEV-027 a token is not returned when its hash could not be stored, and the next poll gets one',
  async () => {
    const { user_code: code, device_code: device } = await client.started();
    await client.approve(code);
    cluster.isAway = true;
    assert.is((await client.poll(device)).status, 503);
    assert.is((await client.review(code)).state, 'approved');
    cluster.isAway = false;
    const [status, body] = await client.told(device);
    const { access_token: token } = body as DeviceToken;
    assert.is(status, 200);
    assert.is.not(await statusOf(token), 401);
    const secret = served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === tokenSecret);
    const [stored = ''] = Object.values(secret?.data ?? {});
    const hash = createHash('sha256')
      .update(token.split('_')[2] ?? '')
      .digest('hex');
    assert.match(Buffer.from(stored, 'base64').toString(), hash, 'its hash was stored before the answer');
  },
);

spec('DEV-012 a poll during a failing token issue gets 503 and not expired_token', async () => {
  const { user_code: code, device_code: device } = await client.started();
  await client.approve(code);
  Object.assign(cluster, { isAway: true, isSlow: true });
  const answers = await Promise.all(Array.from({ length: 3 }, () => client.told(device)));
  assert.equal(
    answers.map(([status]) => status),
    [503, 503, 503],
  );
  Object.assign(cluster, { isAway: false, isSlow: false });
  assert.is((await client.told(device))[0], 200);
});

spec('DEV-014 DEV-029 requests end with the process, and a poll gets expired_token', async () => {
  const pending = await client.started();
  const approved = await client.started();
  await client.approve(approved.user_code);
  const next = await serve();
  await until(() => next.operator.isLeading(), 'the replica is leader');
  try {
    for (const { device_code: code } of [pending, approved]) {
      const body = JSON.stringify({ device_code: code });
      const polled = await next.askPlain('/api/v1/auth/token', { method: 'POST', headers: json, body });
      assert.equal([polled.status, polled.json()], error('expired_token'));
    }
    assert.is((await next.post('/api/v1/auth/device/approve', { code: pending.user_code, days: 7 })).status, 404);
  } finally {
    await next.stop();
  }
});

spec('a standby forwards device requests to the leader with the original host and address', async () => {
  const other = await served.standBy(served.url);
  try {
    const asked = { method: 'POST', headers: { ...json, 'x-forwarded-for': '9.9.9.9' } };
    const started = (await other.ask('/api/v1/auth/device', asked)).json() as DeviceStart;
    assert.is(started.verification_uri, `${other.url}/device`, 'the host it was asked by');
    const seen = (await other.ask(`/api/v1/auth/device/${started.user_code}`)).json() as { readonly address: string };
    assert.is(seen.address, '9.9.9.9');
    const approving = { ...asked, body: JSON.stringify({ code: started.user_code, days: 7 }) };
    assert.is((await other.ask('/api/v1/auth/device/approve', approving)).status, 200);
    const polling = { ...asked, body: JSON.stringify({ device_code: started.device_code }) };
    const { access_token: token } = (await other.ask('/api/v1/auth/token', polling)).json() as DeviceToken;
    await until(async () => (await served.askAs(token, '/api/me')).status === 200, 'the token is cached');
    assert.equal((await other.ask('/api/v1/auth/token', polling)).json(), { error: 'expired_token' }, 'once');
  } finally {
    await other.stop();
  }
});

spec('a standby answers 503 and refuses tokens when the leader is unreachable', async () => {
  const authorization = `Bearer ${(await served.makeToken()).token}`;
  const other = await served.standBy();
  const isStandby = { error: 'this replica is a standby, and the leader does not answer: try again' };
  try {
    const asking = [
      ['POST', '/auth/device'],
      ['POST', '/auth/token'],
      ['GET', '/auth/device/BBBB-BBBB'],
      ['POST', '/auth/device/approve'],
      ['POST', '/auth/device/deny'],
    ] as const;
    for (const [method, path] of asking) {
      const isForClients = path === '/auth/device' || path === '/auth/token';
      const { status, json: body } = await other.ask(`/api/v1${path}`, { method, headers: json });
      assert.equal([status, body()], [503, isForClients ? { error: 'temporarily_unavailable' } : isStandby], path);
      const asToken = await other.ask(`/api/v1${path}`, { method, headers: { ...json, authorization } });
      assert.is(asToken.status, isForClients ? 503 : 403);
    }
    const body = JSON.stringify({ username: 'admin', password });
    assert.is((await other.ask('/api/login', { method: 'POST', headers: json, body })).status, 200, 'people sign in');
  } finally {
    await other.stop();
  }
});

spec('AUT-055 sign-in failures of an address are counted by the leader for all replicas', async () => {
  const other = await served.standBy(served.url);
  const signIn = (how: typeof other.ask, given: string) =>
    how('/api/login', {
      method: 'POST',
      headers: { ...json, 'x-forwarded-for': '8.8.4.4' },
      body: JSON.stringify({ username: given === password ? 'admin' : 'nobody', password: given }),
    });
  try {
    for (let failure = 0; failure < 20; failure++) await signIn(failure % 2 === 0 ? other.ask : served.ask, 'wrong');
    assert.is((await signIn(other.ask, password)).status, 401);
    assert.is((await signIn(served.ask, password)).status, 401);
    served.clock.ahead = 60_000;
    assert.is((await signIn(other.ask, password)).status, 200);
  } finally {
    await other.stop();
  }
});
spec.run();
