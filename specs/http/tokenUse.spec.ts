import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../crds/names.ts';
import type { ApiToken, Items } from '../../http/api.ts';
import { tokenSecret } from '../../http/auth/tokens/records.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Unavailable, Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';
import { until, type TestEnvironment } from '../support/environment.ts';
import { listenTo } from './listener.ts';
import { serve, type Served } from './served.ts';

const spec = suite('use and revocation of API tokens');
let served: Served;
/** Whether writes of the HTTP server fail. */
let isAway = false;
/** The patches of the HTTP server, and whether they are slow. */
const patches = { asked: 0, areSlow: false };
/** Runs once, before a write of the HTTP server. */
let before: (() => void) | null = null;

const interfered = (services: TestEnvironment['services']): TestEnvironment['services'] => {
  const cluster = Context.get(services, Cluster);
  const patch: ClusterShape['patch'] = (...given) =>
    Effect.suspend(() => {
      patches.asked++;
      const interfere = before;
      before = null;
      interfere?.();
      if (isAway) return Effect.fail(new Unavailable({ message: 'nobody answers' }));
      return patches.areSlow ? Effect.delay(cluster.patch(...given), '2 millis') : cluster.patch(...given);
    });
  return Context.add(services, Cluster, { ...cluster, patch });
};
spec.before.each(async () => {
  [isAway, before, patches.areSlow] = [false, null, false];
  served = await serve({}, {}, interfered);
});
spec.after.each(() => served.stop());

const minute = 60_000;
const stored = () => served.world.cluster.all(secrets).find(({ metadata }) => metadata.name === tokenSecret);
const usedAt = (id: string) => {
  const record = JSON.parse(Buffer.from(stored()?.data?.[id] ?? '', 'base64').toString()) as {
    readonly lastUsedAt?: string;
  };
  return record.lastUsedAt === undefined ? undefined : Date.parse(record.lastUsedAt);
};
/** A write by somebody else: the same content, in another version. */
const touch = (data: Readonly<Record<string, string>> = {}) =>
  void served.world.cluster.put(secrets, {
    metadata: { name: tokenSecret, namespace: systemNamespace },
    data: { ...stored()?.data, ...data },
  });
const list = async () => ((await served.ask('/api/v1/tokens')).json() as Items<ApiToken>).items;
const project = (name: string, uid: string) =>
  served.world.cluster.put(projects, {
    metadata: { name, uid, namespace: systemNamespace },
    spec: { clusterRef: { name: 'local' }, environments: ['production', 'staging'] },
  });
const addProject = async (name: string, uid = `uid-of-${name}`) => {
  project(name, uid);
  await until(() => served.operator.caches.get(projects, name)?.metadata.uid === uid, 'the project is cached');
};
const projectToken = (name: string, environment = 'production') =>
  served.makeToken({ name: `ci of ${name}`, role: undefined, project: name, environment });
const statusOf = async (token: string) => (await served.askAs(token, '/api/v1/me')).status;

spec('AUT-030 AUT-093 the last use is recorded at most every 10 minutes', async () => {
  const { id, token } = await served.makeToken();
  assert.is((await list())[0]?.lastUsedAt, undefined);
  await statusOf(token);
  const first = await until(() => usedAt(id), 'the first use is recorded');
  const version = stored()?.metadata.resourceVersion;
  served.clock.ahead = 9 * minute;
  for (let use = 0; use < 5; use++) await statusOf(token);
  served.clock.ahead = 10 * minute;
  assert.is(stored()?.metadata.resourceVersion, version, 'nothing was written meanwhile');
  await statusOf(token);
  const second = await until(() => (usedAt(id) === first ? undefined : usedAt(id)), 'a later use is recorded');
  assert.ok(second - first >= 10 * minute);
  assert.is(Date.parse((await list())[0]?.lastUsedAt ?? ''), second);
});

spec('AUT-030 concurrent uses are recorded by one write that preserves other changes', async () => {
  const { id, token } = await served.makeToken();
  const changes = served.world.cluster.changesOf('secrets');
  before = () => touch({ note: 'aGVsbG8=' });
  await Promise.all(Array.from({ length: 20 }, () => statusOf(token)));
  await until(() => usedAt(id), 'it is recorded');
  assert.is(stored()?.data?.['note'], 'aGVsbG8=', 'nothing of the other write is lost');
  assert.is(served.world.cluster.changesOf('secrets') - changes, 2);
});

spec('AUT-030 a use just recorded by another replica is not recorded twice', async () => {
  const { id, token } = await served.makeToken();
  const theirs = new Date(served.now() - minute).toISOString();
  let isRecorded = false;
  before = () => {
    const record = JSON.parse(Buffer.from(stored()?.data?.[id] ?? '', 'base64').toString()) as object;
    touch({ [id]: Buffer.from(JSON.stringify({ ...record, lastUsedAt: theirs })).toString('base64') });
    isRecorded = true;
  };
  await statusOf(token);
  await until(() => isRecorded, 'the other replica was faster');
  const reads = served.world.cluster.changesOf('secrets');
  // A write that waits behind the one that found nothing to do.
  await served.makeToken({ name: 'another' });
  assert.is(usedAt(id), Date.parse(theirs));
  assert.is(served.world.cluster.changesOf('secrets') - reads, 1);
});

spec('a request succeeds when its last use cannot be recorded, and a later use is recorded', async () => {
  const { id, token } = await served.makeToken();
  isAway = true;
  assert.is(await statusOf(token), 200);
  const warning = 'failed to record last use of API token';
  const warned = () => served.lines.filter(({ message }) => message === warning);
  await until(() => warned().length > 0, 'a warning is logged');
  assert.is(await statusOf(token), 200);
  assert.equal(warned()[0]?.fields, { tokenId: id, error: 'nobody answers' });
  isAway = false;
  served.clock.ahead = 2 * minute;
  await statusOf(token);
  await until(() => usedAt(id), 'the use is recorded');
  assert.is(warned().length, 1);
});

spec('AUT-028 AUT-095 a token revoked during the write of its last use stays revoked', async () => {
  const { id, token } = await served.makeToken();
  // Somebody else revokes it while the write of its last use is in progress.
  let isRevoked = false;
  before = () => {
    isRevoked = true;
    served.world.cluster.put(secrets, {
      metadata: { name: tokenSecret, namespace: systemNamespace },
      data: {},
    });
  };
  await statusOf(token);
  await until(() => isRevoked, 'its last use is being written');
  await until(async () => (await statusOf(token)) === 401, 'it is refused');
  assert.is(stored()?.data?.[id], undefined);
});

spec('AUT-028 a token revoked on one replica is refused on another', async () => {
  const other = await served.standBy();
  const askOther = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await other.ask('/api/v1/me', { headers })).status;
  };
  try {
    const { id, token } = await served.makeToken();
    await until(async () => (await askOther(token)) === 200, 'the token is cached on the other replica');
    await until(() => usedAt(id), 'a standby records the use too');
    await served.ask(`/api/v1/tokens/${id}`, { method: 'DELETE' });
    await until(async () => (await askOther(token)) === 401, 'the other replica refuses it');
    assert.is(await statusOf(token), 401);
  } finally {
    await other.stop();
  }
});

spec('AUT-091 tokens created concurrently on two replicas are all stored', async () => {
  const other = await served.standBy();
  try {
    patches.areSlow = true;
    const headers = { 'content-type': 'application/json' };
    const make = (replica: Pick<Served, 'ask'>, index: number) =>
      replica.ask('/api/v1/tokens', {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: `${index}`, role: 'admin' }),
      });
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => make(index % 2 === 0 ? served : other, index)),
    );
    assert.equal([...new Set(made.map(({ status }) => status))], [201]);
    assert.is(Object.keys(stored()?.data ?? {}).length, 20);
  } finally {
    await other.stop();
  }
});

spec('tokens created concurrently on one replica are written without a conflict', async () => {
  await served.makeToken();
  Object.assign(patches, { asked: 0, areSlow: true });
  await Promise.all(Array.from({ length: 20 }, () => served.makeToken()));
  assert.is(patches.asked, 20);
});

spec('AUT-028 the event streams of a token end when it is revoked', async () => {
  const [gone, stays] = [await served.makeToken({ name: 'gone' }), await served.makeToken({ name: 'stays' })];
  const streamOf = ({ token }: { readonly token: string }) =>
    listenTo(`${served.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  const [ends, goesOn] = [await streamOf(gone), await streamOf(stays)];
  await ends.until(({ event }) => event === 'hello', 'it is open');
  await served.ask(`/api/v1/tokens/${gone.id}`, { method: 'DELETE' });
  await until(ends.hasEnded, 'its stream ends');
  assert.not.ok(goesOn.hasEnded());
  goesOn.close();
});

spec('AUT-096 the tokens of a deleted project are revoked, and no others', async () => {
  await addProject('demo');
  await addProject('blog');
  const [gone, other, workspace] = [await projectToken('demo'), await projectToken('blog'), await served.makeToken()];
  assert.is(await statusOf(gone.token), 200);
  served.world.cluster.drop(projects, 'demo');
  await until(async () => (await statusOf(gone.token)) === 401, 'its token is refused');
  assert.equal([await statusOf(other.token), await statusOf(workspace.token)], [200, 200]);
  const lines = served.lines.filter(({ message }) => message === 'revoked API token');
  assert.equal(
    lines.map(({ fields }) => fields),
    [
      {
        tokenId: gone.id,
        name: 'ci of demo',
        project: 'demo',
        environment: 'production',
        by: 'the deletion of its project',
      },
    ],
  );
});

spec('AUT-096 the tokens of a project under deletion are refused, and no token is created', async () => {
  await addProject('demo');
  const { token } = await projectToken('demo');
  const [standing] = served.world.cluster.all(projects);
  served.world.cluster.put(projects, {
    ...standing,
    metadata: { ...standing?.metadata, finalizers: ['core.platform/cleanup'] },
  } as never);
  served.world.cluster.drop(projects, 'demo');
  await until(async () => (await statusOf(token)) === 401, 'its token is refused');
  assert.ok(served.operator.caches.get(projects, 'demo')?.metadata.deletionTimestamp, 'the project still exists');
  const refused = await served.post('/api/v1/tokens', { name: 'x', project: 'demo', environment: 'production' });
  assert.equal([refused.status, refused.json()], [400, { error: 'there is no project "demo"' }]);
});

/** The project with these environments, as kubectl writes it. */
const listEnvironments = (environments: readonly string[], annotations: Readonly<Record<string, string>> = {}) => {
  const [standing] = served.world.cluster.all(projects);
  served.world.cluster.put(projects, {
    ...standing,
    metadata: { ...standing?.metadata, annotations },
    spec: { ...standing?.spec, environments },
  } as never);
};

spec('AUT-096b PRJ-112 the tokens of an environment removed from the list are revoked, and no others', async () => {
  await addProject('demo');
  const [gone, stays] = [await projectToken('demo'), await projectToken('demo', 'staging')];
  listEnvironments(['staging']);
  await until(async () => (await statusOf(gone.token)) === 401, 'its token is refused');
  assert.is(await statusOf(stays.token), 200);
  assert.equal(Object.keys(stored()?.data ?? {}), [stays.id]);
});

spec('AUT-096b the tokens of an environment under deletion are refused, and no token is created', async () => {
  await addProject('demo');
  const { token } = await projectToken('demo', 'staging');
  const { uid } = served.world.cluster.all(projects)[0]?.metadata ?? {};
  const deletion = JSON.stringify({ uid, environments: ['staging'] });
  listEnvironments(['production', 'staging'], { 'core.platform/deletion': deletion });
  await until(async () => (await statusOf(token)) === 401, 'its token is refused');
  const refused = await served.post('/api/v1/tokens', { name: 'x', project: 'demo', environment: 'staging' });
  const error = 'the project "demo" has no environment "staging"';
  assert.equal([refused.status, refused.json()], [400, { error }]);
});

spec('AUT-096 a project with the name of a deleted one keeps its own tokens', async () => {
  await addProject('demo', 'first');
  const old = await projectToken('demo');
  const held = stored()?.data?.[old.id] ?? '';
  served.world.cluster.drop(projects, 'demo');
  await until(async () => (await statusOf(old.token)) === 401, 'the old token is refused');
  await until(() => served.operator.caches.get(projects, 'demo') === undefined, 'the old project is deleted');
  await addProject('demo', 'second');
  const fresh = await projectToken('demo');
  // The removed hash is written back by hand; its record has the uid of the deleted project.
  touch({ [old.id]: held });
  await until(() => stored()?.data?.[old.id] === undefined, 'the old token is revoked a second time');
  assert.equal([await statusOf(old.token), await statusOf(fresh.token)], [401, 200]);
});

spec.run();
