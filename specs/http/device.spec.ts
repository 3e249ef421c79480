import * as assert from 'uvu/assert';
import { createHash } from 'node:crypto';
import { Context, Effect } from 'effect';
import type { ApiToken, DeviceReview, DeviceStart, DeviceToken, Items } from '../../http/api.ts';
import { drawUserCode } from '../../http/auth/device/codes.ts';
import { tokenSecret } from '../../http/auth/tokens/records.ts';
import { secrets } from '../../runtime/resources.ts';
import { Away, Cluster, type ClusterShape } from '../../runtime/services/cluster.ts';
import { suite } from '../support/suite.ts';
import { until, type World } from '../support/world.ts';
import { type Answer, passwordHash, serve, type Served } from './served.ts';

const spec = suite('signing a device in');
let served: Served;
/** Whether what the HTTP floor writes comes to nothing, and how long a write takes. */
const cluster = { isAway: false, isSlow: false };

const interfered = (services: World['services']): World['services'] => {
  const real = Context.get(services, Cluster);
  const over = <A, E>(write: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | Away> =>
      cluster.isAway
        ? Effect.fail(new Away({ why: 'nobody answers' }))
        : cluster.isSlow
          ? Effect.delay(write, '100 millis')
          : write,
    );
  const create: ClusterShape['create'] = (...given) => over(real.create(...given));
  const patch: ClusterShape['patch'] = (...given) => over(real.patch(...given));
  return Context.add(services, Cluster, { ...real, create, patch });
};
spec.before.each(async () => {
  Object.assign(cluster, { isAway: false, isSlow: false });
  served = await serve({}, { seer: { role: 'viewer', password: passwordHash, epoch: 0 } }, interfered);
  await until(() => served.operator.isLeading(), 'it leads');
});
spec.after.each(() => served.stop());

const second = 1_000;
const minute = 60 * second;
const json = { 'content-type': 'application/json' };

/** Asks for a sign-in from an address of its own, so that nothing is limited by accident. */
let addresses = 0;
const begin = (body: object = { client_name: 'laptop' }, headers: Readonly<Record<string, string>> = {}) =>
  served.askPlain('/api/v1/auth/device', {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': `198.51.100.${++addresses % 250}`, ...headers },
    body: JSON.stringify(body),
  });
const started = async (body?: object) => (await begin(body)).json() as DeviceStart;
const poll = (code: string): Promise<Answer> =>
  served.askPlain('/api/v1/auth/token', { method: 'POST', headers: json, body: JSON.stringify({ device_code: code }) });
const told = async (code: string) => {
  const { status, json: body } = await poll(code);
  return [status, body()] as const;
};
const error = (text: string) => [400, { error: text }] as const;
const review = async (code: string) => (await served.ask(`/api/v1/auth/device/${code}`)).json() as DeviceReview;
const approve = (code: string, fields: object = { days: 7 }, headers: Readonly<Record<string, string>> = {}) =>
  served.post('/api/v1/auth/device/approve', { code, ...fields }, headers);
const deny = (code: string, headers: Readonly<Record<string, string>> = {}) =>
  served.post('/api/v1/auth/device/deny', { code }, headers);
const tokens = async () => ((await served.ask('/api/v1/tokens')).json() as Items<ApiToken>).items;
const statusOf = async (token: string) => (await served.askAs(token, '/api/v1/me')).status;

spec('DEV-001 DEV-002 DEV-003 DEV-020 a device gets its codes and the address of the page', async () => {
  const { origin } = new URL(served.url);
  const { user_code: userCode, device_code: deviceCode, ...rest } = await started();
  assert.match(userCode, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.is(Buffer.from(deviceCode, 'base64url').length, 32);
  assert.equal(rest, {
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?code=${userCode}`,
    expires_in: 600,
    interval: 5,
  });
});

spec('DEV-002 every letter of a code is as likely as another', () => {
  const counts = new Map<string, number>();
  let byte = 0;
  // Every byte there is, as often as any other.
  const evenly = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => byte++ % 256));
  for (let code = 0; code < 3_000; code++)
    for (const letter of drawUserCode(evenly)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.is(counts.size, 20);
  const [least, most] = [Math.min(...counts.values()), Math.max(...counts.values())];
  assert.ok(most - least < 30, `${least} to ${most}`);
});

spec(
  'DEV-019 the paths answer with and without the version, to nobody in particular, JSON or form or nothing',
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
        clients.push((await review(code)).client);
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

spec('DEV-008 DEV-022 an admin reviews who asks, and what may be granted', async () => {
  const { user_code: code } = await started({ client_name: ' laptop of 山田 ' });
  const { issuedAt, expiresAt, address, ...rest } = await review(code);
  assert.match(address, /^198\.51\.100\.\d+$/);
  assert.is(Date.parse(expiresAt) - Date.parse(issuedAt), 10 * minute);
  assert.equal(rest, {
    user_code: code,
    client: 'laptop of 山田',
    state: 'pending',
    accesses: ['observer', 'viewer', 'admin'],
    lifetimes: [7, 30, 90],
  });
  for (const written of [code.toLowerCase(), code.replace('-', ''), `%20${code.slice(0, 2)}%20${code.slice(2)}-`])
    assert.is((await review(written)).user_code, code, written);
  assert.is((await served.ask('/api/v1/auth/device/BBBB-BBBB')).status, 404);
});

spec('DEV-010 DEV-011 DEV-012 DEV-022 DEV-027 DEV-028 AUT-092 an approved device gets its token, once', async () => {
  const { user_code: code, device_code: device } = await started();
  assert.equal(await told(device), error('authorization_pending'));
  const approved = await approve(code, { access: 'admin', days: 30 });
  assert.equal([approved.status, approved.json()], [200, { user_code: code, state: 'approved' }]);
  assert.equal(await tokens(), [], 'no token before it is collected');
  assert.is((await review(code)).state, 'approved');

  const [status, body] = await told(device);
  const { access_token: token, ...rest } = body as DeviceToken;
  assert.is(status, 200);
  assert.equal(rest, { token_type: 'Bearer', expires_in: 30 * 86_400 });
  assert.match(token, /^gsw_[a-z2-7]{10}_[a-z2-7]{32}$/);
  assert.is(await statusOf(token), 200);
  assert.is((await review(code)).state, 'issued');
  for (let again = 0; again < 3; again++) assert.equal(await told(device), error('expired_token'));

  const [made, ...more] = await tokens();
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

spec('DEV-008 DEV-009 DEV-022 the default access is read-only with logs, the lifetime 7, 30 or 90 days', async () => {
  for (const days of [7, 30, 90]) {
    const { user_code: code, device_code: device } = await started({ client_name: `for ${days}` });
    for (const bad of [{}, { days: 8 }, { days: 'x' }, { days: null }, { days, access: 'owner' }]) {
      const { status, json: body } = await approve(code, bad);
      const text = 'the access is one of admin, observer, viewer, the lifetime one of 7, 30, 90 days';
      assert.equal([status, body()], [400, { error: text }], JSON.stringify(bad));
    }
    assert.is((await approve(code, { days })).status, 200);
    assert.is(((await told(device))[1] as DeviceToken).expires_in, days * 86_400);
  }
  assert.equal(
    (await tokens()).map(({ role }) => role),
    ['observer', 'observer', 'observer'],
  );
});

spec('DEV-007 DEV-033 a request is decided once, and an unknown code never', async () => {
  const [first, other] = [await started(), await started()];
  assert.is((await approve(first.user_code)).status, 200);
  assert.is((await deny(other.user_code)).status, 200);
  const again = async (code: string) => [(await approve(code)).status, (await deny(code)).status];
  assert.equal(await again(first.user_code), [409, 409]);
  assert.equal(await again(other.user_code), [409, 409]);
  await poll(first.device_code);
  assert.equal(await again(first.user_code), [409, 409]);
  assert.equal(await again('BBBBBBBB'), [404, 404]);
  assert.is((await served.post('/api/v1/auth/device/approve', { days: 7 })).status, 400);
});

spec('DEV-016 DEV-023 DEV-031 a refused device is told so, and the log is not', async () => {
  const { user_code: code, device_code: device } = await started();
  const denied = await deny(code);
  assert.equal([denied.status, denied.json()], [200, { user_code: code, state: 'refused' }]);
  assert.equal(await told(device), error('access_denied'));
  assert.equal(
    served.lines.filter(({ message }) => message !== 'request'),
    [],
  );
  assert.equal(await tokens(), []);
});

spec('DEV-015 DEV-024 no token and no viewer decides, and no stranger reviews', async () => {
  const { user_code: code, device_code: device } = await started();
  const callers = [
    ...(await Promise.all(['admin', 'observer', 'viewer'].map((role) => served.makeToken({ role })))).map(
      ({ token }) => [{ authorization: `Bearer ${token}` }, 403] as const,
    ),
    [{ cookie: served.cookieOf({ username: 'seer', role: 'viewer' }) }, 403] as const,
    [{ cookie: '' }, 401] as const,
  ];
  for (const [headers, status] of callers) {
    assert.is((await approve(code, { days: 7 }, headers)).status, status);
    assert.is((await deny(code, headers)).status, status);
    assert.is((await served.ask(`/api/v1/auth/device/${code}`, { headers })).status, status);
  }
  assert.equal(await told(device), error('authorization_pending'));
  assert.is((await review(code)).state, 'pending');
});

spec('DEV-018 any admin may approve, whoever started it', async () => {
  await served.setUser('other', { role: 'admin', password: passwordHash });
  const { user_code: code, device_code: device } = await started();
  const { status } = await approve(code, { days: 7 }, { cookie: served.cookieOf({ username: 'other' }) });
  assert.is(status, 200);
  await poll(device);
  assert.is((await tokens())[0]?.createdBy, 'other');
});

spec('DEV-017 DEV-025 DEV-030 who polls too fast is told to slow down, 5 s more each time', async () => {
  const { device_code: device } = await started();
  const after = async (ms: number) => {
    served.clock.ahead += ms;
    return ((await told(device))[1] as { readonly error: string }).error;
  };
  const slow = second / 2;
  assert.is(await after(0), 'authorization_pending');
  assert.is(await after(5 * second), 'authorization_pending');
  assert.is(await after(5 * second - slow), 'slow_down');
  assert.is(await after(10 * second - slow), 'slow_down');
  assert.is(await after(15 * second - slow), 'slow_down');
  assert.is(await after(20 * second), 'authorization_pending');
});

spec('DEV-013 DEV-026 DEV-032 a request expires after 10 minutes, and is forgotten after 20', async () => {
  const { user_code: code, device_code: device } = await started();
  served.clock.ahead = 10 * minute - second;
  assert.equal(await told(device), error('authorization_pending'));
  served.clock.ahead = 10 * minute;
  assert.equal(await told(device), error('expired_token'));
  assert.is((await review(code)).state, 'expired');
  assert.is((await approve(code)).status, 409);
  served.clock.ahead = 20 * minute;
  assert.equal(await told(device), error('expired_token'));
  assert.is((await approve(code)).status, 404);
});

spec('DEV-034 what is approved and not collected in time expires too, and leaves no token', async () => {
  const { user_code: code, device_code: device } = await started();
  served.clock.ahead = 9 * minute;
  await approve(code);
  served.clock.ahead = 10 * minute;
  assert.equal(await told(device), error('expired_token'));
  assert.equal(await tokens(), []);
});

spec('DEV-005 DEV-021 an address asks 10 times in a minute, and no more often', async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' };
  for (let time = 0; time < 10; time++) assert.is((await begin({}, from)).status, 200);
  const { status, json: body } = await begin({}, from);
  assert.equal([status, body()], [429, { error: '10 sign-ins were started from this address within a minute' }]);
  assert.is((await begin({}, { 'x-forwarded-for': '203.0.113.8' })).status, 200);
  assert.is((await begin({}, { 'x-forwarded-for': '203.0.113.7, 10.0.0.1' })).status, 429, 'behind two proxies');
  served.clock.ahead = minute;
  assert.is((await begin({}, from)).status, 200);
});

spec('DEV-005 clients of one private address count together, and those of one IPv6 network', async () => {
  const statuses = async (headers: Readonly<Record<string, string>>, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => begin({}, headers)))).map(({ status }) => status);
  const inside = await statuses({ 'x-forwarded-for': '' }, 12);
  assert.equal([inside.filter((status) => status === 200).length, inside.at(-1)], [10, 429]);
  await statuses({ 'x-forwarded-for': '2001:db8:0:1::1' }, 10);
  assert.is((await begin({}, { 'x-forwarded-for': '2001:db8:0:1::2' })).status, 429);
  assert.is((await begin({}, { 'x-forwarded-for': '2001:db8:0:2::1' })).status, 200);
});

spec('DEV-004 DEV-021 at most 100 are pending; one that is decided or over makes room', async () => {
  const [first] = await Promise.all(Array.from({ length: 100 }, () => started()));
  const { status, json: body } = await begin();
  assert.equal([status, body()], [429, { error: '100 sign-ins wait for approval already' }]);
  await deny(first?.user_code ?? '');
  assert.is((await begin()).status, 200);
  assert.is((await begin()).status, 429);
  served.clock.ahead = 10 * minute;
  assert.is((await begin()).status, 200);
});

spec('DEV-012 DEV-027 two polls that race get one token', async () => {
  const { user_code: code, device_code: device } = await started();
  await approve(code);
  cluster.isSlow = true;
  const answers = await Promise.all(Array.from({ length: 5 }, () => told(device)));
  assert.is(answers.filter(([status]) => status === 200).length, 1);
  for (const [status, body] of answers) if (status !== 200) assert.equal(body, { error: 'expired_token' });
  assert.is((await tokens()).length, 1);
});

spec(
  'DEV-012 DEV-027 a token whose hash could not be stored is not handed over, and the device may ask again',
  async () => {
    const { user_code: code, device_code: device } = await started();
    await approve(code);
    cluster.isAway = true;
    assert.is((await poll(device)).status, 503);
    assert.is((await review(code)).state, 'approved');
    cluster.isAway = false;
    const [status, body] = await told(device);
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

spec('DEV-014 DEV-029 requests are lost with the process: a poll is told that it is over', async () => {
  const pending = await started();
  const approved = await started();
  await approve(approved.user_code);
  const next = await serve();
  await until(() => next.operator.isLeading(), 'it leads');
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

spec('DEV-014 a replica that stands by says so, and refuses tokens all the same', async () => {
  const other = await served.standBy();
  try {
    const asking = [
      ['POST', '/auth/device'],
      ['POST', '/auth/token'],
      ['GET', '/auth/device/BBBB-BBBB'],
      ['POST', '/auth/device/approve'],
      ['POST', '/auth/device/deny'],
    ] as const;
    for (const [method, path] of asking) {
      const { status, json: body } = await other.ask(`/api/v1${path}`, { method, headers: json });
      assert.equal([status, body()], [503, { error: 'this replica stands by: try again' }], path);
    }
  } finally {
    await other.stop();
  }
});

spec('DEV-001 what a device says of itself is refused where it cannot be shown', async () => {
  for (const name of ['x'.repeat(101), 'a\u0007b', 'a\nb', 'a\u202eb', '   ', 7, ['laptop']]) {
    const { status, json: body } = await begin({ client_name: name });
    assert.equal(
      [status, body()],
      [400, { error: 'client_name must be at most 100 printable characters' }],
      JSON.stringify(name),
    );
  }
  const long = await started({ client_name: '山'.repeat(100) });
  await approve(long.user_code);
  await poll(long.device_code);
  assert.is((await tokens())[0]?.name, '山'.repeat(64), 'a token has a shorter name');
  assert.is((await begin({}, { host: 'evil"host' })).status, 400);
  const behind = (await begin({}, { host: 'core.example', 'x-forwarded-proto': 'https' })).json() as DeviceStart;
  assert.is(behind.verification_uri, 'https://core.example/device');
});

spec('DEV-011 a poll without a code, or for another grant, is refused', async () => {
  const { device_code: device } = await started();
  const ask = async (body: object) => {
    const sent = { method: 'POST', headers: json, body: JSON.stringify(body) };
    const { status, json: answered } = await served.askPlain('/api/v1/auth/token', sent);
    return [status, answered()];
  };
  for (const body of [{}, { device_code: '' }, { device_code: 7 }, { device_code: [device] }])
    assert.equal(await ask(body), error('device_code is required'));
  assert.equal(await ask({ device_code: device, grant_type: 'password' }), error('unsupported_grant_type'));
  assert.equal(await ask({ device_code: device.slice(0, -1) }), error('expired_token'));
  assert.equal(await ask({ device_code: device }), error('authorization_pending'));
});
spec.run();
