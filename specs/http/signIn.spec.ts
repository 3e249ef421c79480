import { compare } from 'bcryptjs';
import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import type { Identity } from '../../http/api.ts';
import { makeHasher } from '../../http/auth/hasher.ts';
import { seedAdmin } from '../../http/auth/seed.ts';
import { authSecret, directoryOf, sessionKeyName } from '../../http/auth/directory.ts';
import { systemNamespace } from '../../crds/names.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { memoryCluster } from '../support/memoryCluster.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { password, passwordHash, quickHasher, serve, type Served } from './served.ts';

const signIn = suite('sign-in');
let served: Served;
const serveHashing = async (hasher = quickHasher()) => {
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 0 } }, (same) => same, hasher);
};
signIn.before.each(() => serveHashing());
signIn.after.each(() => served.stop());

const json = { 'content-type': 'application/json' };
const login = (username: string, given: string, headers: Record<string, string> = {}) =>
  served.askPlain('/api/login', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ username, password: given }),
  });
const wrong = '{"error":"the username or the password is wrong"}';
const directory = () => directoryOf(served.secret());
const cookieIn = (answer: Awaited<ReturnType<typeof login>>) => answer.headers['set-cookie']?.[0] ?? '';

signIn(
  'AUT-007 AUT-008 AUT-009 AUT-010 AUT-015 AUT-099 the right password sets a cookie valid for twelve hours',
  async () => {
    const answer = await login('admin', password);
    assert.is(answer.status, 200);
    const { expiresAt, ...identity } = answer.json() as Record<string, string>;
    assert.equal(identity, {
      username: 'admin',
      role: 'admin',
      scope: 'workspace',
      canMutate: true,
      canReadSensitive: true,
      authentication: 'session',
    });
    assert.is(Date.parse(expiresAt ?? '') - served.now(), 43_200_000);
    assert.match(cookieIn(answer), /^core_session=[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    const cookie = cookieIn(answer).split(';')[0] ?? '';
    const me = () => served.askPlain('/api/v1/me', { headers: { cookie } });
    assert.equal((await me()).json(), answer.json());
    served.clock.ahead = 43_200_000 - 1;
    assert.is((await me()).status, 200);
    served.clock.ahead = 43_200_000;
    assert.is((await me()).status, 401, 'fixed from sign-in, however much it is used');
    served.clock.ahead = 0;
    const afar = await login('admin', password, { host: 'core.example' });
    assert.match(cookieIn(afar), /; Secure$/);
  },
);

signIn('AUT-015 the cookie is Secure behind a TLS proxy, for any host name', async () => {
  const secure = async (proto: string, host: string) => {
    const headers = { 'x-forwarded-proto': proto, host };
    const out = await served.askPlain('/api/v1/logout', { method: 'POST', headers });
    const cookies = [cookieIn(await login('admin', password, headers)), cookieIn(out)];
    return cookies.map((cookie) => cookie.endsWith('; Secure'));
  };
  for (const host of ['localhost', 'localhost:8085', '127.0.0.1', '[::1]:80', 'core.example'])
    for (const proto of ['https', 'HTTPS', 'https, http']) assert.equal(await secure(proto, host), [true, true], host);
  for (const proto of ['http', 'httpsx', '']) assert.equal(await secure(proto, 'localhost'), [false, false], proto);
});

signIn('AUT-099 a form signs in like JSON', async () => {
  const { status, headers } = await served.askPlain('/api/v1/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: 'admin', password }).toString(),
  });
  assert.is(status, 200);
  assert.match(headers['set-cookie']?.[0] ?? '', /^core_session=.*; Max-Age=43200$/);
});

signIn(
  'AUT-004 AUT-005 a wrong password and an unknown name get the same answer, and the sample password is refused',
  async () => {
    for (const [username, given] of [
      ['admin', 'x'],
      ['nobody', password],
      ['', password],
      ['admin', 'x'.repeat(73)],
    ] as const) {
      const answer = await login(username, given);
      assert.is(answer.text, username === '' ? '{"error":"username and password are required"}' : wrong);
      assert.is(answer.status, username === '' ? 400 : 401);
      assert.is(cookieIn(answer), '');
    }
    await served.setUser('sample', { role: 'admin', password: 'change-me' });
    const sample = await login('sample', 'change-me');
    assert.is(sample.status, 401);
    await served.setUser('brief', { role: 'admin', password: 'a' });
    assert.is((await login('brief', 'a')).status, 200);
  },
);

signIn('AUT-059 AUT-087 a sign-in with an unknown name costs as much time as with a known one', async () => {
  await served.stop();
  // Several times as long as the rest of a request.
  await serveHashing(makeHasher(9));
  await served.setUser('slow', { role: 'admin', password: 'slow' });
  await until(() => directory().users.get('slow')?.password.startsWith('$2'), 'the password is hashed');
  // CPU time, because elapsed time also counts other work of a busy machine.
  const costOf = async (name: string) => {
    const took: number[] = [];
    for (let round = 0; round < 3; round++) {
      const from = process.cpuUsage();
      await login(name, 'wrong');
      const { user, system } = process.cpuUsage(from);
      took.push((user + system) / 1_000);
    }
    return Math.min(...took);
  };
  const [known, unknown] = [await costOf('slow'), await costOf('ghost')];
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} ms and ${unknown} ms`);
});

signIn('AUT-002 AUT-003 a plain password is replaced by its hash when read', async () => {
  await served.stop();
  await serveHashing(makeHasher());
  await served.setUser('plain', { role: 'admin', password: 'by hand' });
  const stored = await until(() => {
    const found = directory().users.get('plain')?.password;
    return found?.startsWith('$2') && found;
  }, 'the password is hashed');
  assert.match(stored, /^\$2[aby]\$12\$/);
  assert.ok(await compare('by hand', stored));
  assert.not.match(Buffer.from(JSON.stringify(served.secret()?.data ?? {})).toString(), 'by hand');
  assert.is((await login('plain', 'by hand')).status, 200);
});

signIn('AUT-006 a user with any other role is ignored', async () => {
  for (const role of ['observer', 'Admin', 'owner', '']) {
    await served.setUser('other', { role, password: passwordHash, epoch: 0 });
    assert.equal([(await login('other', password)).status, directory().users.has('other')], [401, false], role);
  }
});

signIn('AUT-006 AUT-031 AUT-035 a viewer signs in but changes nothing and reads no log', async () => {
  const build = await served.addApp('shop');

  const answer = await login('viewer', password);
  assert.is(answer.status, 200);
  const { role, canMutate, canReadSensitive } = answer.json() as Identity;
  assert.equal({ role, canMutate, canReadSensitive }, { role: 'viewer', canMutate: false, canReadSensitive: false });
  const headers = { cookie: cookieIn(answer).split(';')[0] ?? '' };
  assert.is((await served.askPlain('/api/v1/apps', { headers })).status, 200);
  assert.is((await served.askPlain(`/api/v1/builds/${build}/log`, { headers })).status, 403);
  for (const act of ['apps/shop/build', 'apps/shop/build/cancel', `builds/${build}/look`])
    assert.is(
      (await served.askPlain(`/api/v1/${act}`, { method: 'POST', headers: { ...headers, origin: served.url } })).status,
      403,
      act,
    );
  assert.is((await login('viewer', 'wrong')).text, wrong);
});

signIn(
  'AUT-049 AUT-050 AUT-083 AUT-084 AUT-085 AUT-086 five failures within a minute lock a name for a minute',
  async () => {
    for (let tried = 1; tried <= 4; tried++) {
      assert.is((await login('admin', 'wrong')).status, 401);
      const said = `"failures":${tried}`;
      await until(() => secretText(served.secret(), 'lockouts').includes(said), 'it is counted in the Secret');
    }
    assert.is((await login('admin', password)).status, 200, 'four do not lock');
    assert.is((await login('admin', 'wrong')).text, wrong);
    const locked = await login('admin', password);
    assert.is(locked.text, wrong, 'the right password is answered like a wrong one');
    assert.is(locked.status, 401);
    assert.match(secretText(served.secret(), 'lockouts'), '"admin":{"since":');
    served.clock.ahead = 59_999;
    assert.is((await login('admin', password)).status, 401);
    served.clock.ahead = 60_000;
    assert.is((await login('admin', password)).status, 200);
  },
);

signIn('AUT-051 a lock is stored in the Secret and applies in another process', async () => {
  const another = await served.standBy();
  for (let tried = 0; tried < 5; tried++) await login('admin', 'wrong');
  assert.match(secretText(served.secret(), 'lockouts'), '"admin":{"since":');
  const again = { method: 'POST', headers: json, body: JSON.stringify({ username: 'admin', password }) };
  const statusThere = async () => (await another.ask('/api/login', again)).status;
  await until(async () => (await statusThere()) === 401, 'the right password does not let in there either');
  await another.stop();
});

signIn('AUT-086 a name is locked for no longer than a minute after the clock was set back', async () => {
  served.clock.ahead = 7 * 86_400_000;
  for (let tried = 0; tried < 5; tried++) await login('admin', 'wrong');
  assert.is((await login('admin', password)).status, 401);
  served.clock.ahead = 0;
  assert.is((await login('admin', password)).status, 401);
  const lockEnd = () => directory().lockouts.get('admin')?.lockedUntil ?? 0;
  await until(() => lockEnd() <= served.now() + 60_000, 'the lock ends within a minute from then');
  served.clock.ahead = 61_000;
  assert.is((await login('admin', password)).status, 200);
});

signIn('AUT-010 AUT-100 a session issued before the clock was set back is rejected', async () => {
  served.clock.ahead = 86_400_000;
  const cookie = cookieIn(await login('admin', password)).split(';')[0] ?? '';
  const me = async () => (await served.askPlain('/api/v1/me', { headers: { cookie } })).status;
  assert.is(await me(), 200);
  served.clock.ahead = 0;
  assert.is(await me(), 401, 'it would hold for a day and a half');
});

signIn('AUT-049 concurrent attempts are all counted', async () => {
  // A slow hash, so that all wait before the first response.
  await served.setUser('slow', { role: 'admin', password: 'right' });
  await until(() => directory().users.get('slow')?.password.startsWith('$2'), 'the password is hashed');
  const wrongs = Promise.all(Array.from({ length: 6 }, () => login('slow', 'wrong')));
  await until(() => directory().lockouts.has('slow'), 'the first is counted');
  const right = await login('slow', 'right');
  assert.equal(
    (await wrongs).map(({ status }) => status),
    [401, 401, 401, 401, 401, 401],
  );
  assert.is(right.status, 401, 'the sixth guess is one too many, though it is right');
  assert.is(directory().lockouts.get('slow')?.failures, 5);
});

signIn(
  'AUT-052 AUT-053 AUT-087 failures are recorded only for configured names, and expired records are removed by the next write',
  async () => {
    await login('ghost', 'wrong');
    assert.equal([...directory().lockouts.keys()], []);
    await login('admin', 'wrong');
    served.clock.ahead = 60_000;
    await login('viewer', 'wrong');
    assert.equal([...directory().lockouts.keys()], ['viewer']);
  },
);

signIn('AUT-055 AUT-056 AUT-088 a public address is refused for a minute after twenty failures', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': `10.0.0.1, ${address}, 192.168.1.1` });
  for (let tried = 0; tried < 20; tried++) {
    // A new name each time, so that no name is locked.
    await served.setUser(`u${tried}`, { role: 'admin', password: passwordHash });
    await login(`u${tried}`, 'wrong', from('203.0.113.7'));
  }
  const refused = await login('admin', password, from('203.0.113.7'));
  assert.is(refused.text, wrong);
  assert.is(refused.status, 401);
  assert.is((await login('admin', password, from('203.0.113.8'))).status, 200);
  assert.not.match(JSON.stringify(served.world.cluster.all(secrets)), '203.0.113');
  const restarted = await served.standBy();
  const again = { method: 'POST', headers: { ...json, ...from('203.0.113.7') } };
  const body = JSON.stringify({ username: 'admin', password });
  assert.is((await restarted.ask('/api/login', { ...again, body })).status, 200, 'a new process has no counts');
  await restarted.stop();
  served.clock.ahead = 60_000;
  assert.is((await login('admin', password, from('203.0.113.7'))).status, 200);
});

signIn('AUT-014 AUT-101 signing out ends every session of the user', async () => {
  const [first, second] = [await login('admin', password), await login('admin', password)].map(
    (answer) => cookieIn(answer).split(';')[0] ?? '',
  );
  const headers = { cookie: first ?? '', origin: served.url };
  // At once, and not only after the watch event.
  served.world.cluster.lag(secrets, true);
  const out = await served.askPlain('/api/logout', { method: 'POST', headers });
  assert.is(out.status, 200);
  assert.match(out.headers['set-cookie']?.[0] ?? '', /^core_session=; .*Max-Age=0/);
  for (const cookie of [first, second])
    assert.is((await served.askPlain('/api/me', { headers: { cookie: cookie ?? '' } })).status, 401);
  served.world.cluster.lag(secrets, false);
  assert.is(directory().users.get('admin')?.epoch, 1);
  assert.is((await login('admin', password)).status, 200);
});

signIn('AUT-011 a session key removed from the Secret is replaced, which ends every session', async () => {
  const cookie = cookieIn(await login('admin', password)).split(';')[0] ?? '';
  const me = () => served.askPlain('/api/me', { headers: { cookie } });
  assert.is((await me()).status, 200);
  const { [sessionKeyName]: before, ...rest } = served.secret()?.data ?? {};
  served.world.cluster.put(secrets, { metadata: { name: authSecret, namespace: systemNamespace }, data: rest });
  const after = await until(() => served.secret()?.data?.[sessionKeyName], 'a new key exists');
  assert.is.not(after, before);
  assert.is(Buffer.from(after, 'base64').length, 32);
  await until(async () => (await me()).status === 401, 'the old cookie is void');
  assert.is((await login('admin', password)).status, 200);
});

signIn('AUT-013 a removed user loses access at once', async () => {
  assert.is((await served.ask('/api/me')).status, 200);
  await served.setUser('admin', { role: 'admin' });
  assert.is((await served.ask('/api/me')).status, 401);
});

signIn('AUT-001 AUT-011 the first start creates the user admin and the session key once', async () => {
  const cluster = memoryCluster();
  const seed = (given?: string) =>
    Effect.runPromise(
      Effect.result(Effect.provideService(seedAdmin({ password: given, newHasher: quickHasher }), Cluster, cluster)),
    );
  const stored = () => cluster.all(secrets)[0];
  for (const bad of ['change-me', 'x'.repeat(73)]) assert.is((await seed(bad))._tag, 'Failure');
  assert.is(stored(), undefined);
  const first = await seed();
  const generated = first._tag === 'Success' ? first.success.generated : null;
  assert.match(generated ?? '', /^[A-Za-z0-9]{20}$/);
  assert.is(stored()?.metadata.name, 'core-dashboard-auth');
  assert.is(stored()?.metadata.namespace, 'core-system');
  assert.ok(await compare(generated ?? '', directoryOf(stored()).users.get('admin')?.password ?? ''));
  assert.is(directoryOf(stored()).sessionKey?.length, 32);
  const before = JSON.stringify(stored());
  for (const given of ['another', undefined])
    assert.equal(await seed(given), Result.succeed({ isMade: false, generated: null }));
  assert.is(JSON.stringify(stored()), before);
});
signIn.run();
