import * as assert from 'uvu/assert';
import { authSecret, directoryOf, encode, lockoutsName } from '../../http/auth/directory.ts';
import { epochSecret, epochsIn } from '../../http/auth/epochs.ts';
import { systemNamespace } from '../../crds/names.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/environment.ts';
import { ask, password, serve, type Served } from './served.ts';

const spec = suite('sign-in of new users');
let served: Served;
let other: Awaited<ReturnType<Served['standBy']>>;
spec.before.each(async () => {
  served = await serve();
  other = await served.standBy();
});
spec.after.each(async () => {
  await other.stop();
  await served.stop();
});

const stored = (name: string) => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === name);
const userOf = (name: string) => directoryOf(stored(authSecret)).users.get(name);
/** Writes an entry by hand, without waiting. */
const write = (name: string, user: object) =>
  void served.world.cluster.put(secrets, {
    metadata: { name: authSecret, namespace: systemNamespace },
    data: { ...stored(authSecret)?.data, [`user.${name}`]: encode(JSON.stringify(user)) },
  });
const login = (url: string, username: string, given: string) =>
  ask(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: given }),
  });
const isKept = (name: string) =>
  until(() => epochsIn(other.operator.caches.get(secrets, epochSecret)).names.has(name), 'its epoch is kept');

spec('AUT-003 AUT-007 a standby accepts a user written a moment before', async () => {
  const hashes = new Set<string>();
  served.world.cluster.onChange(() => hashes.add(userOf('plain')?.password ?? ''));
  write('plain', { role: 'viewer', password: 'by hand' });
  const answered = await login(other.url, 'plain', 'by hand');
  assert.is(answered.status, 200, answered.text);
  const cookie = answered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  for (const { url } of [served, other])
    await until(
      async () => (await ask(`${url}/api/v1/me`, { headers: { cookie } })).status === 200,
      'the session is good on both',
    );
  assert.is([...hashes].filter((one) => one.startsWith('$2')).length, 1, 'two replicas, one hash');
  assert.is((await login(other.url, 'plain', 'another')).status, 401);
});

spec(
  'AUT-003 AUT-004 AUT-049 a new user with the right password gets 503 and no session when there is no leader',
  async () => {
    await isKept('admin');
    await served.crash();
    write('plain', { role: 'viewer', password: 'by hand' });
    const before = stored(authSecret);
    const [right, wrong] = [login(other.url, 'plain', 'by hand'), login(other.url, 'plain', 'wrong')];
    let isAnswered = false;
    void right.then(() => (isAnswered = true));
    assert.is((await login(other.url, 'admin', password)).status, 200, 'others sign in');
    assert.not.ok(isAnswered, 'the other sign-in does not wait');
    assert.equal(
      [(await right).status, (await right).json()],
      [503, { error: 'the leader has not taken up the entry of this user yet: try again in a moment' }],
    );
    assert.is((await right).headers['set-cookie'], undefined);
    assert.equal(
      [(await wrong).status, (await wrong).json()],
      [401, { error: 'the username or the password is wrong' }],
    );
    assert.is(userOf('plain')?.password, 'by hand', 'a standby writes no hash');
    await until(() => secretText(stored(authSecret), lockoutsName).includes('"plain"'), 'the failure is counted');
    assert.is(before?.data?.['user.admin'], stored(authSecret)?.data?.['user.admin']);

    other.isHeldBy('');
    await until(
      async () => (await login(other.url, 'plain', 'by hand')).status === 200,
      'the user signs in when there is a leader',
    );
    assert.match(userOf('plain')?.password ?? '', /^\$2/);
  },
);

spec('AUT-013 AUT-014 a session stays ended when the leader dies before it knows of the sign-out', async () => {
  write('plain', { role: 'viewer', password: 'by hand' });
  const { headers } = await login(other.url, 'plain', 'by hand');
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  await served.crash();
  const out = await ask(`${other.url}/api/v1/logout`, { method: 'POST', headers: { cookie, origin: other.url } });
  assert.is(out.status, 200);
  write('plain', { role: 'viewer', password: 'by hand', epoch: 0 });
  other.isHeldBy('');
  await until(() => other.operator.isLeading(), 'the other replica is leader');
  await until(() => userOf('plain')?.password.startsWith('$2'), 'the leader processes the entry');
  assert.is((await ask(`${other.url}/api/v1/me`, { headers: { cookie } })).status, 401);
  assert.is((await login(other.url, 'plain', 'by hand')).status, 200);
});
spec.run();
