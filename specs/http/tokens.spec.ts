import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import * as assert from 'uvu/assert';
import type { ApiToken, Identity, Items } from '../../http/api.ts';
import { makeTokenMaking } from '../../http/auth/tokens/make.ts';
import { tokenSecret } from '../../http/auth/tokens/records.ts';
import { hasHash, hashOf, readToken } from '../../http/auth/tokens/text.ts';
import { makeVault } from '../../http/auth/tokens/vault.ts';
import { serverContext } from '../../http/context.ts';
import { systemNamespace } from '../../crds/names.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('API tokens');
let served: Served;
spec.before.each(async () => {
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } });
});
spec.after.each(() => served.stop());

const minute = 60_000;
const day = 24 * 60 * minute;
const iso = (ms: number) => new Date(ms).toISOString();
const stored = () => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === tokenSecret);
const storedOf = (id: string) =>
  JSON.parse(Buffer.from(stored()?.data?.[id] ?? '', 'base64').toString() || '{}') as Readonly<Record<string, unknown>>;
const list = async () => ((await served.ask('/api/v1/tokens')).json() as Items<ApiToken>).items;
const revoke = (id: string) => served.ask(`/api/v1/tokens/${id}`, { method: 'DELETE' });
const environments = ['production', 'staging'];
const addProject = async (name: string, uid = `uid-of-${name}`) => {
  served.world.cluster.put(projects, {
    metadata: { name, uid, namespace: systemNamespace },
    spec: { environments },
  } as never);
  await until(() => served.operator.caches.get(projects, name), 'the project is cached');
};
const projectToken = (fields: object = {}) =>
  served.makeToken({ name: 'ci', role: undefined, project: 'demo', environment: 'production', ...fields });
const audit = (message: string) => served.lines.filter((line) => line.message === message).map(({ fields }) => fields);

spec('AUT-016 AUT-017 AUT-091 a workspace token of each role has its prefix, identifier and secret', async () => {
  for (const role of ['admin', 'observer', 'viewer']) {
    const made = await served.makeToken({ name: `as ${role}`, role });
    assert.match(made.token, /^gsw_[a-z2-7]{10}_[a-z2-7]{32}$/);
    const { token, createdAt, ...item } = made;
    assert.is(token.split('_')[1], made.id);
    assert.is(Date.parse(createdAt), served.now());
    assert.equal(item, {
      id: made.id,
      name: `as ${role}`,
      kind: 'workspace',
      role,
      createdBy: 'admin',
      expired: false,
    });
  }
});

spec('a token identifier in use is replaced by another one', async () => {
  const drawn = [1, 2, 1, 3, 4].map((byte) => (bytes: number) => Buffer.alloc(bytes, byte));
  const random = (bytes: number) => drawn.shift()?.(bytes) ?? Buffer.alloc(bytes, 9);
  const { operator, world } = served;
  const serving = serverContext({ operator, services: world.services, settings: {} as never, log: () => {}, random });
  const { create } = makeTokenMaking(serving, makeVault(operator.caches));
  const asked = { name: 'x', role: 'admin', scope: null, projectUid: null, expiresAt: null } as const;
  const admin = { with: 'session', username: 'admin', role: 'admin', expiresAt: 0 } as const;
  for (let time = 0; time < 2; time++) await serving.run(create(asked, admin));
  assert.equal(
    Object.keys(stored()?.data ?? {}).toSorted((a, b) => a.localeCompare(b)),
    ['bbbbbbbbbb', 'dddddddddd'],
  );
});

spec('AUT-018 AUT-019 AUT-020 a project token belongs to one environment of an existing project', async () => {
  await addProject('demo');
  const made = await projectToken();
  assert.match(made.token, /^gsp_[a-z2-7]{10}_[a-z2-7]{32}$/);
  assert.equal([made.kind, made.project, made.environment], ['project', 'demo', 'production']);
  const refused = await served.post('/api/v1/tokens', { name: 'ci', project: 'none', environment: 'production' });
  assert.equal([refused.status, refused.json()], [400, { error: 'there is no project "none"' }]);
  const before = await list();
  for (const environment of ['stagin', 'Production', 'constructor']) {
    const { status, text } = await served.post('/api/v1/tokens', { name: 'ci', project: 'demo', environment });
    assert.is(status, 400, environment);
    if (environment === 'stagin') assert.is(text, '{"error":"the project \\"demo\\" has no environment \\"stagin\\""}');
  }
  assert.equal(await list(), before, 'none was made');
});

spec('AUT-020 API-034 a project token reads only the services of its environment', async () => {
  await addProject('demo');
  await served.addApp('shop');
  const [own, other] = [await projectToken(), await projectToken({ environment: 'staging' })];
  assert.is((await served.askAs(own.token, '/api/v1/apps/shop')).status, 200);
  assert.is((await served.askAs(other.token, '/api/v1/apps/shop')).status, 404);
  assert.is((await served.askAs(own.token, '/api/v1/builds')).status, 403);
  assert.is((await served.askAs(own.token, '/api/v1/tokens')).status, 403);
});

spec('AUT-024 AUT-026 SEC-012 only a hash of the secret part is stored, and the token is returned once', async () => {
  const { id, token } = await served.makeToken();
  const secret = token.split('_')[2] ?? '';
  const again = await served.post('/api/v1/tokens', { name: 'another', role: 'viewer' });
  assert.is(again.headers['cache-control'], 'no-store', 'the answer is not cacheable');
  assert.is(storedOf(id)['hash'], createHash('sha256').update(secret).digest('hex'));
  assert.is((await served.askAs(token, '/api/v1/me')).status, 200);
  const inTheAddress = await served.askPlain(`/api/v1/me?access_token=${token}&token=${token}`);
  assert.is(inTheAddress.status, 401, 'it is sent in a header');
  const texts = [
    JSON.stringify(Object.values(stored()?.data ?? {}).map((text) => Buffer.from(text, 'base64').toString())),
    (await served.ask('/api/v1/tokens')).text,
    (await revoke(id)).text,
    JSON.stringify(served.lines),
  ];
  for (const text of texts) assert.not.match(text, secret);
  assert.not.match(texts.slice(1).join(), hashOf(secret), 'nor the hash anywhere else');
});

spec('AUT-025 a secret is always compared with a hash in constant time, and only the right one matches', () => {
  const hash = hashOf('right');
  const { timingSafeEqual } = crypto;
  const lengths: number[] = [];
  crypto.timingSafeEqual = (one, other) => {
    lengths.push(one.byteLength);
    return timingSafeEqual(one, other);
  };
  syncBuiltinESMExports();
  const compared = [hasHash('right', hash), hasHash('wrong', hash), hasHash('right', undefined)];
  crypto.timingSafeEqual = timingSafeEqual;
  syncBuiltinESMExports();
  assert.equal(
    [compared, lengths],
    [
      [true, false, false],
      [32, 32, 32],
    ],
    'in constant time, each time',
  );
  assert.ok(hasHash('right', hash));
  assert.not.ok(hasHash('wrong', hash));
  // An unknown identifier is compared with the hash of the empty text, which must not count as a key.
  for (const secret of ['right', '']) assert.not.ok(hasHash(secret, undefined));
});

spec('AUT-060 a token that is truncated, changed, of another kind or unknown is not valid', async () => {
  const { token, id } = await served.makeToken();
  const [, , secret = ''] = token.split('_');
  const other = (text: string) => (text.startsWith('a') ? 'b' : 'a') + text.slice(1);
  const wrong = [
    token.slice(0, -1),
    `${token}a`,
    token.toUpperCase(),
    `gsw_${id}_${other(secret)}`,
    `gsw_${other(id)}_${secret}`,
    `gsp_${id}_${secret}`,
    `gsw_${id}_`,
    `gsw__${secret}`,
    `${id}_${secret}`,
    'gsw___proto___x',
    'x'.repeat(8_000),
  ];
  for (const text of wrong) {
    const { status, json, headers } = await served.askAs(text, '/api/v1/me');
    assert.equal([status, json()], [401, { error: 'the API token is not valid' }], text.slice(0, 60));
    assert.is(headers['www-authenticate'], 'Bearer error="invalid_token"');
  }
  assert.is((await served.askPlain('/api/v1/me')).headers['www-authenticate'], 'Bearer');
  assert.is(readToken(`${token}\n`), null);
  assert.is((await served.askAs(token, '/api/v1/me')).status, 200);
});

spec('AUT-043 AUT-044 AUT-045 AUT-046 AUT-047 AUT-048 a token identifies its caller', async () => {
  await addProject('demo');
  const expiresAt = iso(served.now() + day);
  const [forever, ending] = [await served.makeToken({ name: 'forever' }), await projectToken({ expiresAt })];
  const me = async (token: string) => (await served.askAs(token, '/api/v1/me')).json() as Identity;
  const full = { canMutate: true, canReadSensitive: true, authentication: 'token' };
  assert.equal(await me(forever.token), { username: 'token:forever', role: 'admin', scope: 'workspace', ...full });
  assert.equal(await me(ending.token), {
    username: 'token:ci',
    role: 'admin',
    scope: 'project',
    project: 'demo',
    environment: 'production',
    ...full,
    expiresAt,
  });
});

spec('AUT-027 a token expires within ten calendar years, or never', async () => {
  const tenYears = new Date(served.now());
  tenYears.setUTCFullYear(tenYears.getUTCFullYear() + 10);
  const latest = tenYears.getTime();
  assert.is((await served.makeToken({ expiresAt: iso(latest - minute) })).expiresAt, iso(latest - minute));
  assert.is((await served.makeToken({ expiresAt: null })).expiresAt, undefined);
  assert.is((await served.makeToken()).expiresAt, undefined);
  for (const expiresAt of [iso(latest + minute), iso(served.now() - 1)]) {
    const { status, json } = await served.post('/api/v1/tokens', { name: 'x', role: 'admin', expiresAt });
    assert.equal([status, json()], [400, { error: 'a token expires within 10 years, or never' }]);
  }
  assert.is((await list()).length, 3);
});

spec('AUT-094 an expired token is refused and listed as expired until it is revoked', async () => {
  const { id, token } = await served.makeToken({ expiresAt: iso(served.now() + day) });
  assert.is((await served.askAs(token, '/api/v1/me')).status, 200);
  served.clock.ahead = day;
  assert.is((await served.askAs(token, '/api/v1/me')).status, 401);
  assert.equal(
    (await list()).map(({ expired }) => expired),
    [true],
  );
  assert.is((await revoke(id)).status, 200);
  assert.equal(await list(), []);
});

spec('AUT-028 AUT-095 a revoked token is refused at once and its key removed', async () => {
  const [gone, stays] = [await served.makeToken({ name: 'gone' }), await served.makeToken({ name: 'stays' })];
  const revoked = await revoke(gone.id);
  assert.is(revoked.status, 200);
  assert.is((revoked.json() as ApiToken).name, 'gone');
  assert.is((await served.askAs(gone.token, '/api/v1/me')).status, 401);
  assert.is((await served.askAs(stays.token, '/api/v1/me')).status, 200);
  assert.equal(Object.keys(stored()?.data ?? {}), [stays.id]);
  for (const id of [gone.id, 'aaaaaaaaaa', '__proto__', '%2e%2e%2f'])
    assert.is((await revoke(id)).status, 404, 'there is nothing left to revoke');
});

spec('AUT-091 AUT-095 SEC-031 SEC-032 creating and revoking a token writes audit lines with the caller', async () => {
  await addProject('demo');
  const made = [await served.makeToken({ name: 'bot', role: 'observer' }), await projectToken()] as const;
  for (const { id } of made) await revoke(id);
  const lines = [
    { tokenId: made[0].id, name: 'bot', role: 'observer', by: 'admin' },
    { tokenId: made[1].id, name: 'ci', project: 'demo', environment: 'production', by: 'admin' },
  ];
  assert.equal(audit('created API token'), lines);
  assert.equal(audit('revoked API token'), lines);
});

spec('AUT-029 AUT-097 a token stays valid when the account that created it is deleted', async () => {
  await served.setUser('maker', { role: 'admin', password: passwordHash, epoch: 0 });
  const cookie = served.cookieOf({ username: 'maker' });
  const made = await served.post('/api/v1/tokens', { name: 'theirs', role: 'admin' }, { cookie });
  const { token, createdBy } = made.json() as ApiToken & { readonly token: string };
  assert.is(createdBy, 'maker');
  await served.ask('/api/logout', { method: 'POST', headers: { cookie } });
  await served.setUser('maker', {});
  assert.is((await served.ask('/api/v1/me', { headers: { cookie } })).status, 401, 'the account is deleted');
  assert.is((await served.askAs(token, '/api/v1/me')).status, 200);
  assert.equal(
    (await list()).map(({ createdBy: by }) => by),
    ['maker'],
  );
});

spec('AUT-061 only a signed-in admin creates, lists and revokes tokens', async () => {
  await addProject('demo');
  const { id, token: admin } = await served.makeToken();
  const [observer, viewer] = [await served.makeToken({ role: 'observer' }), await served.makeToken({ role: 'viewer' })];
  const { token: ofProject } = await projectToken();
  const before = (await list()).length;
  const { origin } = new URL(served.url);
  const asking: readonly (readonly [Readonly<Record<string, string>>, number, string])[] = [
    [{}, 401, 'sign in first'],
    [{ cookie: served.cookieOf({ username: 'viewer', role: 'viewer' }), origin }, 403, 'only an admin may do this'],
    ...[admin, observer.token, viewer.token, ofProject].map((token) => {
      const refusal = 'an API token cannot do this: an admin has to, signed in to the dashboard';
      return [{ authorization: `Bearer ${token}`, cookie: served.cookieOf(), origin }, 403, refusal] as const;
    }),
  ];
  const body = JSON.stringify({ name: 'x', role: 'admin' });
  const routes = [
    ['GET', '/tokens'],
    ['POST', '/tokens'],
    ['DELETE', `/tokens/${id}`],
  ] as const;
  for (const [headers, status, error] of asking)
    for (const [method, path] of routes) {
      const sent = { ...headers, 'content-type': 'application/json' };
      const answered = await served.askPlain(`/api/v1${path}`, {
        method,
        headers: sent,
        ...(method === 'POST' ? { body } : {}),
      });
      assert.equal([answered.status, answered.json()], [status, { error }], `${method} ${path}`);
    }
  assert.is((await list()).length, before);
});

spec('tokens are listed by name, and names may repeat', async () => {
  const ids = [];
  for (const name of ['same', 'Before', 'same']) {
    ids.push((await served.makeToken({ name })).id);
    served.clock.ahead += 1_000;
  }
  assert.equal(
    (await list()).map(({ id }) => id),
    [ids[1], ids[0], ids[2]],
  );
});

spec('AUT-017 a contradictory request for a token is refused', async () => {
  await addProject('demo');
  const nameText = 'name must be 1 to 64 printable characters';
  const roleText = 'role must be admin, observer or viewer';
  const timeText = 'expiresAt must be a time such as 2030-01-31T12:00:00Z or null';
  const bad: readonly (readonly [object, string])[] = [
    [{ role: 'admin' }, 'name is required'],
    [{ name: '   ', role: 'admin' }, nameText],
    [{ name: 7, role: 'admin' }, 'name must be a text that is not empty'],
    [{ name: 'x'.repeat(65), role: 'admin' }, nameText],
    [{ name: 'a\u0000b', role: 'admin' }, nameText],
    [{ name: 'a\u202eb', role: 'admin' }, nameText],
    [{ name: 'a\n', role: 'admin' }, nameText],
    [{ name: 'x' }, roleText],
    [{ name: 'x', role: 'owner' }, roleText],
    [{ name: 'x', role: 'toString' }, roleText],
    [{ name: 'x', project: 'demo' }, 'environment must be the name of an environment'],
    [{ name: 'x', environment: 'production' }, 'project must be the name of a project'],
    [{ name: 'x', project: 'a/b', environment: 'production' }, 'project must be the name of a project'],
    [
      { name: 'x', role: 'admin', project: 'demo', environment: 'production' },
      'a project token has no role: give a role, or a project and an environment',
    ],
    [{ name: 'x', role: 'admin', expiresAt: '2030-02-31T00:00:00Z' }, 'expiresAt is not a valid date'],
    ...['tomorrow', '2030', '2030-01-01', 7, '2030-01-01T25:00:00Z'].map(
      (expiresAt) => [{ name: 'x', role: 'admin', expiresAt }, timeText] as const,
    ),
  ];
  for (const [body, error] of bad) {
    const answered = await served.post('/api/v1/tokens', body);
    assert.equal([answered.status, answered.json()], [400, { error }], JSON.stringify(body));
  }
  assert.equal(await list(), []);
  assert.is(stored(), undefined);
  assert.is((await served.makeToken({ name: ' naïve 🔑 ' })).name, 'naïve 🔑');
  assert.is((await served.makeToken({ name: '🔑'.repeat(64) })).name, '🔑'.repeat(64));
});

spec('a malformed key counts as absent and is kept', async () => {
  const { id, token } = await served.makeToken();
  const good = storedOf(id);
  const broken: readonly object[] = [
    { ...good, hash: 'short' },
    { ...good, role: 'owner' },
    { ...good, role: undefined },
    { ...good, expiresAt: 'soon' },
    { ...good, createdAt: 7 },
    { ...good, project: 'demo' },
    { ...good, name: '' },
    [],
  ];
  for (const one of broken) {
    const data = { ...stored()?.data, [id]: Buffer.from(JSON.stringify(one)).toString('base64') };
    const { metadata } = served.world.cluster.put(secrets, {
      metadata: { name: tokenSecret, namespace: systemNamespace },
      data,
    });
    await until(
      () => served.operator.caches.get(secrets, tokenSecret)?.metadata.resourceVersion === metadata.resourceVersion,
      'the Secret is cached',
    );
    assert.is((await served.askAs(token, '/api/v1/me')).status, 401, JSON.stringify(one));
    assert.equal(await list(), []);
  }
  await served.makeToken();
  assert.ok(stored()?.data?.[id], 'another one was written beside it');
});
spec.run();
