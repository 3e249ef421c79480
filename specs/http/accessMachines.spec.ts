import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type {
  DeviceStart,
  Explanation,
  Instance,
  InstanceRead,
  Items,
  Machine,
  NewApiToken,
  Traces,
  Transitions,
} from '../../http/api.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('instances of the access machines');
let served: Served;
let token: NewApiToken;

spec.before.each(async () => {
  served = await serve({}, { viewer: { role: 'viewer', password: passwordHash, epoch: 3 } });
  await until(() => served.operator.isLeading(), 'the replica is leader');
  token = await served.makeToken({ name: 'a script', expiresAt: new Date(served.now() + 2 * day).toISOString() });
});
spec.after.each(() => served.stop());

const day = 86_400_000;
const names = ['addressLockout', 'dashboardSession', 'deviceSignIn', 'nameLockout', 'token'];
const address = '203.0.113.77';
const json = { 'content-type': 'application/json', 'x-forwarded-for': address };
const list = (machine: string) => `/api/v1/machines/${machine}/instances`;
const path = (machine: string, id: string, part = '') => `${list(machine)}/${encodeURIComponent(id)}${part}`;

async function read<T>(from: string): Promise<T> {
  const { status, text, json: body } = await served.ask(from);
  assert.is(status, 200, `${from}: ${text}`);
  return body() as T;
}
const instances = async (machine: string) => (await read<Items<Instance>>(list(machine))).items;
const only = async (machine: string): Promise<Instance> => {
  const [one, ...others] = await instances(machine);
  if (one === undefined) throw new Error(`no instance of ${machine}`);
  assert.equal(others, []);
  return one;
};

async function failSignIn(times: number) {
  for (let time = 0; time < times; time++)
    await served.askPlain('/api/v1/login', {
      method: 'POST',
      headers: { ...json, origin: served.url },
      body: JSON.stringify({ username: 'viewer', password: `wrong ${time}` }),
    });
}
async function startDevice(): Promise<DeviceStart> {
  const body = JSON.stringify({ client_name: 'laptop of ada' });
  return (await served.askPlain('/api/v1/auth/device', { method: 'POST', headers: json, body })).json() as DeviceStart;
}
/** One instance of each. */
async function fill(): Promise<DeviceStart> {
  await failSignIn(5);
  await until(async () => (await instances('nameLockout'))[0]?.state === 'Locked', 'the name is locked');
  return startDevice();
}

spec('a machine of access is listed with its table and the count of its instances per state', async () => {
  await fill();
  const { items } = await read<Items<Machine>>('/api/v1/machines');
  const counted = items
    .filter(({ name }) => names.includes(name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, kinds, counts, rows }) => [name, kinds, counts, rows.length > 0]);
  assert.equal(counted, [
    ['addressLockout', ['Lease'], { Open: 1 }, true],
    ['dashboardSession', ['Secret'], { Active: 2 }, true],
    ['deviceSignIn', ['Lease'], { Pending: 1 }, true],
    ['nameLockout', ['Secret'], { Locked: 1 }, true],
    ['token', ['Secret'], { Active: 1 }, true],
  ]);
  for (const name of names)
    assert.equal(
      await read<Machine>(`/api/v1/machines/${name}`),
      items.find((one) => one.name === name),
    );
});

spec('a token is found by its public identifier and shows its expiry', async () => {
  const id = `secrets:core-api-tokens:${token.id}`;
  const one = await only('token');
  assert.equal([one.id, one.name, one.kind], [id, `core-api-tokens:${token.id}`, 'Secret']);
  assert.equal([one.state, one.since, one.columns], ['Active', token.createdAt, { subject: 'a script' }]);
  assert.equal(await read<InstanceRead>(path('token', id)), { ...one, others: [] });
  const explained = await read<Explanation>(path('token', id, '/explain'));
  assert.equal(
    [explained.state, explained.text, explained.decision, explained.notes],
    [
      'Active',
      'active until its expiry',
      { is: 'rests' },
      [{ name: 'expiry', text: 'It expires', until: token.expiresAt }],
    ],
  );
  assert.equal(
    explained.tried.map(({ rule, held, row }) => [rule, held, row === undefined]),
    [['use-awaited', 'yes', false]],
  );
  served.clock.ahead += 3 * day;
  assert.is((await only('token')).state, 'Expired');
  assert.equal((await read<Explanation>(path('token', id, '/explain'))).notes, []);
});

spec('a locked name shows when its lock ends and is listed until its failures expire', async () => {
  await fill();
  const one = await only('nameLockout');
  assert.equal([one.id, one.state], ['secrets:core-dashboard-auth:viewer', 'Locked']);
  assert.is(Date.parse(one.nextLook ?? ''), Date.parse(one.since) + 60_000);
  const { decision, text, tried, nextLook } = await read<Explanation>(path('nameLockout', one.id, '/explain'));
  assert.equal([text, nextLook], ['locked after 5 failed sign-ins within a minute', one.nextLook]);
  assert.is(decision.is === 'moves' && decision.rule, 'lock-end-awaited');
  assert.is(tried.at(0)?.rule, 'lock-end-awaited');
  served.clock.ahead += 61_000;
  assert.equal(await instances('nameLockout'), []);
  assert.is((await served.ask(path('nameLockout', one.id))).status, 404);
});

spec('an address is shown as its network and is refused after twenty failures', async () => {
  await failSignIn(20);
  const one = await until(async () => {
    const [first] = await instances('addressLockout');
    return first?.state === 'Refused' ? first : null;
  }, 'it is refused');
  assert.match(one.id, /^leases:core-operator:[0-9a-f]{16}$/);
  assert.equal(one.columns, { subject: '203.0.0.0/16' });
  const { text } = await read<Explanation>(path('addressLockout', one.id, '/explain'));
  assert.is(text, 'refused after 20 failed sign-ins within a minute');
});

spec('the sessions of a user are one instance without the times in the cookies', async () => {
  const id = 'secrets:core-dashboard-epochs:viewer';
  assert.equal(
    (await instances('dashboardSession')).map((one) => one.id),
    ['secrets:core-dashboard-epochs:admin', id],
  );
  const { facts, notes, nextLook, text } = await read<Explanation>(path('dashboardSession', id, '/explain'));
  assert.equal(facts['signedInAt'], { is: 'unknown', why: 'it is in the sealed cookie of each session' });
  assert.equal([nextLook, text], [undefined, 'active until 12 hours after the sign-in']);
  assert.equal(
    notes.map(({ name, until }) => [name, until]),
    [['cookies', null]],
  );
});

spec('a device sign-in has the name of its client until it expires', async () => {
  await startDevice();
  const one = await only('deviceSignIn');
  assert.equal([one.state, one.columns], ['Pending', { subject: 'laptop of ada' }]);
  assert.is(Date.parse(one.nextLook ?? ''), Date.parse(one.since) + 600_000);
  served.clock.ahead += 600_000;
  assert.is((await only('deviceSignIn')).state, 'Expired');
  served.clock.ahead += 600_000;
  assert.equal(await instances('deviceSignIn'), []);
});

spec('a machine of access records no moves, has no passes and says so', async () => {
  await fill();
  for (const machine of names) {
    const [one] = await instances(machine);
    const id = one?.id ?? '';
    const { items, note } = await read<Transitions>(path(machine, id, '/transitions'));
    assert.equal([items, note], [[], 'No moves are kept: it is decided when somebody asks.']);
    const traces = await read<Traces>(`/api/v1/machines/${machine}/transitions`);
    assert.ok(traces.items.every((trace) => trace.items.length === 0) && traces.items.length > 0);
    const refused = await served.post(path(machine, id, '/reconcile'), {});
    const error = `a ${machine} cannot be reconciled on request`;
    assert.equal([refused.status, refused.json()], [409, { error }]);
  }
});

spec('an instance of access is filtered by state, text and time in the state', async () => {
  const has = async (query: string) => (await read<Items<Instance>>(`${list('token')}?${query}`)).items.length;
  assert.equal(await Promise.all(['state=active', 'state=Expired', 'q=script', 'q=nobody'].map(has)), [1, 0, 1, 0]);
  assert.is((await served.ask(`${list('token')}?state=Pending`)).status, 400);
});

spec('a missing instance of access answers 404 with a text', async () => {
  for (const of of [
    'secrets:core-api-tokens:aaaaaaaaaa',
    'secrets:core-api-tokens',
    token.id,
    'leases:core-operator:x',
    ':',
  ])
    for (const part of ['', '/explain', '/transitions']) {
      const { status, json: body } = await served.ask(path('token', of, part));
      assert.equal([status, body()], [404, { error: `instance "${of}" of the machine token was not found` }]);
    }
});

spec('a response contains no secret, hash, code or whole address', async () => {
  const device = await fill();
  const said: string[] = [(await served.ask('/api/v1/machines')).text];
  for (const machine of names)
    for (const { id } of await instances(machine))
      for (const part of ['', '/explain', '/transitions']) said.push((await served.ask(path(machine, id, part))).text);
  const all = said.join('\n');
  const secret = token.token.split('_').at(-1) ?? '';
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const code = device.user_code;
  const hidden = [secret, sha256(secret), device.device_code, sha256(device.device_code), code, code.replace('-', '')];
  for (const text of [...hidden, passwordHash, address, '"epoch":3']) assert.not.ok(all.includes(text), text);
});

spec('a machine of access is hidden from viewers, observers and project tokens', async () => {
  const cookie = served.cookieOf({ username: 'viewer', role: 'viewer', epoch: 3 });
  const listed = await served.ask('/api/v1/machines', { headers: { cookie } });
  const told = (listed.json() as Items<Machine>).items.map(({ name }) => name);
  assert.equal(
    told.filter((name) => names.includes(name)),
    [],
  );
  assert.ok(told.includes('build'));
  const observer = await served.makeToken({ role: 'observer' });
  const id = `secrets:core-api-tokens:${token.id}`;
  for (const from of ['/api/v1/machines/token', list('token'), path('token', id), path('token', 'nothing')]) {
    const asViewer = await served.ask(from, { headers: { cookie } });
    assert.equal([asViewer.status, asViewer.json()], [403, { error: 'only an admin may do this' }], from);
    // As for users and tokens themselves: no token reads them, an admin's neither.
    for (const { token: text } of [observer, token]) {
      const { status, json } = await served.askAs(text, from);
      assert.is(status, 403, from);
      assert.match((json() as { readonly error: string }).error, /signed in to the dashboard/);
    }
  }
});

const idsAt = async (from: Pick<Served, 'ask'>, machine: string) =>
  ((await from.ask(list(machine))).json() as Items<Instance>).items.map((one) => one.id);

spec('a standby reads in-memory instances from the leader and others from Secrets', async () => {
  await fill();
  const other = await served.standBy(served.url);
  try {
    for (const machine of names) assert.equal(await idsAt(other, machine), await idsAt(served, machine), machine);
    const [id = ''] = await idsAt(served, 'deviceSignIn');
    assert.is((await other.ask(path('deviceSignIn', id, '/explain'))).status, 200);
    const cookie = served.cookieOf({ username: 'viewer', role: 'viewer', epoch: 3 });
    assert.is((await other.ask(list('deviceSignIn'), { headers: { cookie } })).status, 403);
  } finally {
    await other.stop();
  }
});

spec('an in-memory instance is unavailable and its count unknown when the leader is unreachable', async () => {
  await fill();
  const other = await served.standBy();
  try {
    for (const machine of ['addressLockout', 'deviceSignIn'])
      assert.is((await other.ask(list(machine))).status, 503, machine);
    assert.equal(await idsAt(other, 'token'), await idsAt(served, 'token'));
    const { items } = (await other.ask('/api/v1/machines')).json() as Items<Machine>;
    assert.equal(
      items.filter(({ counts }) => counts === null).map(({ name }) => name),
      ['addressLockout', 'deviceSignIn'],
    );
  } finally {
    await other.stop();
  }
});

spec.run();
