import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import { authSecret, directoryOf, encode, sessionKeyName } from '../../http/auth/directory.ts';
import { epochSecret, epochsIn } from '../../http/auth/epochs.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { ask, password, passwordHash, serve, type Served } from './served.ts';

const spec = suite('ended sessions');
let served: Served;
let other: Awaited<ReturnType<Served['standBy']>>;
spec.before(async () => {
  served = await serve();
  other = await served.standBy();
});
spec.after(async () => {
  await other.stop();
  await served.stop();
});

type Data = NonNullable<Secret['data']>;
const stored = (name: string) => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === name);
const data = (): Data => stored(authSecret)?.data ?? {};
const replicas = () => [served, other] as const;

/** Waits until both replicas have seen the last write. */
const heard = () =>
  until(
    () =>
      replicas().every(({ operator }) =>
        [authSecret, epochSecret].every(
          (name) =>
            operator.caches.get(secrets, name)?.metadata.resourceVersion === stored(name)?.metadata.resourceVersion,
        ),
      ),
    'both replicas have the newest record',
  );

/** Writes the whole Secret, as an external change. */
async function write(next: Data | null): Promise<void> {
  if (next === null) served.world.cluster.drop(secrets, authSecret);
  else served.world.cluster.put(secrets, { metadata: { name: authSecret, namespace: systemNamespace }, data: next });
  await heard();
}
const without = (name: string): Data => {
  const { [`user.${name}`]: _, ...rest } = data();
  return rest;
};
const withUser = (name: string, user: object): Data => ({ ...data(), [`user.${name}`]: encode(JSON.stringify(user)) });
const viewer = { role: 'viewer', password: passwordHash } as const;

const login = (url: string, username: string, given = password) =>
  ask(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: given }),
  });
async function signedIn(url: string, username: string, given = password): Promise<string> {
  const { status, headers, text } = await login(url, username, given);
  assert.is(status, 200, text);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
const logout = (url: string, cookie: string) =>
  ask(`${url}/api/v1/logout`, { method: 'POST', headers: { cookie, origin: url } });
const me = async (url: string, cookie: string) => (await ask(`${url}/api/v1/me`, { headers: { cookie } })).status;
const onBoth = (cookie: string) => Promise.all(replicas().map(({ url }) => me(url, cookie)));

spec('AUT-013 AUT-014 AUT-101 a recreated user does not get an ended session back', async () => {
  await write(withUser('viewer', viewer));
  const first = await signedIn(served.url, 'viewer');
  assert.equal(await onBoth(first), [200, 200]);
  await logout(other.url, first);
  await heard();
  assert.equal(await onBoth(first), [401, 401]);
  for (const entry of [viewer, { ...viewer, epoch: 0 }, { ...viewer, epoch: 1 }]) {
    await write(withUser('viewer', entry));
    assert.equal(await onBoth(first), [401, 401], JSON.stringify(entry));
  }
  assert.equal(await onBoth(await signedIn(other.url, 'viewer')), [200, 200]);
});

spec('AUT-013 AUT-101 a user who is removed and recreated inherits no session', async () => {
  for (const entry of [viewer, { ...viewer, epoch: 0 }]) {
    await write(withUser('ci', entry));
    const cookie = await signedIn(served.url, 'ci');
    await write(without('ci'));
    assert.equal(await onBoth(cookie), [401, 401]);
    await write(withUser('ci', entry));
    assert.equal(await onBoth(cookie), [401, 401], JSON.stringify(entry));
    const again = await signedIn(served.url, 'ci');
    assert.equal(await onBoth(again), [200, 200]);
    await write(without('ci'));
  }
});

spec('AUT-013 AUT-102 a user recreated with the same password and another role keeps the session', async () => {
  await write(withUser('changing', { role: 'admin', password: passwordHash }));
  const cookie = await signedIn(served.url, 'changing');
  const roleOn = async (url: string) => {
    const { status, text } = await ask(`${url}/api/v1/me`, { headers: { cookie } });
    return status === 200 ? (JSON.parse(text) as { readonly role: string }).role : status;
  };
  await write(withUser('changing', viewer));
  assert.equal([await roleOn(served.url), await roleOn(other.url)], ['viewer', 'viewer']);
  await write(withUser('changing', { role: 'admin', password }));
  const isHashed = () => directoryOf(stored(authSecret)).users.get('changing')?.password.startsWith('$2');
  await until(isHashed, 'the plain password is hashed');
  await heard();
  assert.equal([await roleOn(served.url), await roleOn(other.url)], ['admin', 'admin']);
});

spec('AUT-013 the sessions of a user end when the password is replaced in the Secret', async () => {
  await write(withUser('another', viewer));
  const cookie = await signedIn(served.url, 'another');
  await write(withUser('another', { role: 'viewer', password: 'of somebody else' }));
  await until(async () => (await onBoth(cookie)).every((status) => status === 401), 'the session is over');
  assert.is(await me(served.url, await signedIn(served.url, 'another', 'of somebody else')), 200);
});

spec('AUT-014 AUT-101 a replica that starts later rejects ended sessions and removed users', async () => {
  await write(withUser('late', viewer));
  const [out, gone] = [await signedIn(served.url, 'late'), await signedIn(other.url, 'late')];
  await logout(served.url, out);
  await write(withUser('late', { ...viewer, epoch: 0 }));
  const third = await served.standBy();
  assert.equal([await me(third.url, out), await me(third.url, gone)], [401, 401]);
  await third.stop();
});

spec('AUT-011 AUT-013 a replaced session key accepts no session', async () => {
  await write(withUser('keyed', viewer));
  const cookie = await signedIn(served.url, 'keyed');
  const before = data();
  const { [sessionKeyName]: _, ...rest } = before;
  await write(rest);
  await until(() => data()[sessionKeyName], 'a new key exists');
  await write(before);
  await until(async () => (await onBoth(cookie)).every((status) => status === 401), 'the old key opens nothing');
  assert.equal(await onBoth(cookie), [401, 401]);
});

/** The status while nobody is signed in: 401, or 503 while there are no users at all. */
const outWhile = (users: object | null) => (users === null ? 503 : 401);

spec(
  'AUT-001 every session ends on both replicas when the Secret of users is emptied, invalid or deleted',
  async () => {
    const before = { ...data(), ...withUser('standing', viewer) };
    const nonsense = Object.fromEntries(Object.keys(before).map((key) => [key, encode('{"role":')]));
    for (const next of [{}, nonsense, null, { [sessionKeyName]: 'AA==' }]) {
      await write(before);
      const cookie = await signedIn(other.url, 'standing');
      assert.equal(await onBoth(cookie), [200, 200]);
      await write(next);
      const said = JSON.stringify(next)?.slice(0, 40);
      const out = outWhile(next);
      assert.equal(await onBoth(cookie), [out, out], said);
      for (const { url } of replicas()) {
        assert.is((await login(url, 'standing')).status, out, said);
        const session = await ask(`${url}/api/v1/session`, { headers: { cookie } });
        assert.is(session.text, '{"authenticated":false}');
      }
      await write(before);
      assert.equal(await onBoth(cookie), [401, 401], `${said}, and restored`);
      assert.equal(await onBoth(await signedIn(served.url, 'standing')), [200, 200], 'a new sign-in is accepted');
    }
  },
);

spec('AUT-014 the operator restores the record of ended sessions when someone deletes it', async () => {
  await write(withUser('recorded', viewer));
  const cookie = await signedIn(served.url, 'recorded');
  await logout(served.url, cookie);
  await heard();
  const epoch = epochsIn(stored(epochSecret)).names.get('recorded')?.epoch ?? 0;
  served.world.cluster.drop(secrets, epochSecret);
  await write(withUser('recorded', { ...viewer, epoch: 0 }));
  assert.equal(await onBoth(cookie), [401, 401]);
  const again = await signedIn(other.url, 'recorded');
  assert.equal(await onBoth(again), [200, 200]);
  assert.ok((epochsIn(stored(epochSecret)).names.get('recorded')?.epoch ?? 0) >= epoch);
});

type Step =
  | { readonly does: 'signIn' | 'signOut'; readonly on: 0 | 1; readonly which: number }
  | { readonly does: 'remove' }
  | { readonly does: 'dropSecret' }
  | { readonly does: 'takeKey' }
  | { readonly does: 'make'; readonly epoch: number | undefined }
  | { readonly does: 'applyOld'; readonly which: number };

const on = fc.constantFrom(0 as const, 1 as const);
const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('signIn' as const), on, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('signOut' as const), on, which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('make' as const), epoch: fc.constantFrom(undefined, 0, 1) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('applyOld' as const), which }) },
  { weight: 1, arbitrary: fc.constantFrom({ does: 'dropSecret' as const }, { does: 'takeKey' as const }) },
);

/** One user with a unique name; ended sessions are remembered here, independently of the product. */
function aLife(name: string) {
  const ended = new Set<string>();
  let running: string[] = [];
  const copies: (Data | null)[] = [];
  let keyOf = '';
  const endAll = () => {
    for (const cookie of running) ended.add(cookie);
    running = [];
  };
  const has = () => directoryOf(stored(authSecret)).users.has(name);
  const by = async (next: Data | null) => {
    await write(next);
    if (!has() || data()[sessionKeyName] !== keyOf) endAll();
    keyOf = data()[sessionKeyName] ?? '';
  };
  const key = () => until(() => directoryOf(stored(authSecret)).sessionKey !== null, 'there is a key');

  const does = async (one: Step): Promise<void> => {
    copies.push(data());
    if (one.does === 'remove') return by(without(name));
    if (one.does === 'make') return by(withUser(name, { ...viewer, epoch: one.epoch }));
    if (one.does === 'applyOld') return by(copies[one.which % copies.length] ?? {});
    if (one.does === 'dropSecret') return by(null);
    if (one.does === 'takeKey') {
      const { [sessionKeyName]: _, ...rest } = data();
      return by(rest);
    }
    if (!has()) return;
    await key();
    keyOf = data()[sessionKeyName] ?? '';
    await heard();
    const { url } = replicas()[one.on];
    if (one.does === 'signIn') {
      const cookie = await signedIn(url, name);
      await heard();
      assert.equal(await onBoth(cookie), [200, 200], 'who has just signed in is in');
      running.push(cookie);
      return;
    }
    const cookie = running[one.which % running.length];
    if (cookie === undefined || (await me(url, cookie)) !== 200) return;
    await logout(url, cookie);
    endAll();
    await heard();
  };
  const nothingComesBack = async () => {
    const out = outWhile(stored(authSecret) ?? null);
    for (const cookie of ended) assert.equal(await onBoth(cookie), [out, out]);
  };
  return { does, nothingComesBack };
}

spec('AUT-013 AUT-014 AUT-101 an ended session stays ended on every replica, for any edits of users', async () => {
  let lives = 0;
  const whole = data();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await write(whole);
      const life = aLife(`one-${++lives}`);
      await life.does({ does: 'make', epoch: undefined });
      for (const one of steps) {
        await life.does(one);
        await life.nothingComesBack();
      }
    }),
    { numRuns: 40 },
  );
});
spec.run();
