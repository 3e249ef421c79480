import * as assert from 'uvu/assert';
import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import type {
  AttentionList,
  BuildExplanation,
  Explanations,
  Items,
  Read,
  StatusItem,
  Summary,
} from '../../http/api.ts';
import { hidden, sentence } from '../../rules/words.ts';
import { isoTime } from '../../rules/time.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { apps, builds, databases, projects } from '../../runtime/services/cluster/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serveAs, tokenOf } from './asCaller.ts';
import { ask, serve, type Served } from './served.ts';

const spec = suite('causes and attention over HTTP');
let served: Served;
spec.before.each(async () => {
  served = await serve();
});
spec.after.each(() => served.stop());

const secret = { kind: 'Secret', name: 'orders-token', namespace: 'shop-production' };
const root = { ...secret, reason: 'SecretMissing' };
const project = { kind: 'CoreProject', name: 'shop', namespace: systemNamespace };
const missing = sentence('Secret "{name}" is missing', { name: hidden('orders-token') });
const at = (minutes: number): string => isoTime(served.now() - minutes * 60_000);

const cause = (fields: Partial<StoredCause> = {}): StoredCause => ({
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: missing.text,
  params: missing.params,
  on: secret,
  since: at(10),
  ...fields,
});
const waits = (fields: Partial<StoredCause> = {}): StoredCause =>
  cause({ reason: 'ProjectNotReady', severity: 'waiting', on: project, root, ...fields });
const crash = (name: string): StoredCause =>
  cause({
    reason: 'CrashLoop',
    message: 'the program ends by itself: exit code 1, 9 restarts',
    params: [],
    on: { kind: 'Deployment', name, namespace: 'shop-production' },
    exitCode: 1,
    count: 9,
    logLine: 'no token given',
  });

const specs: Readonly<Record<string, object>> = {
  CoreApp: { deploy: { enabled: true }, source: { image: 'nginx' } },
  CoreBuild: { app: 'web', repository: 'demo/hello', branch: 'main' },
  CoreDatabase: { deploy: { enabled: true }, engine: 'Postgres', placement: 'InCluster' },
};

/** Puts an object that no pass changes. */
function write(resource: Resource, name: string, status: object, more: object = {}): KubeObject {
  const place = resource.kind === projects.kind ? {} : { project: 'shop', environment: 'production' };
  return served.world.cluster.put(resource, {
    metadata: { name, namespace: systemNamespace, annotations: { [annotation.paused]: 'true' } },
    spec: { ...place, ...specs[resource.kind], ...more },
    status,
  } as KubeObject);
}

/** The same, until it is cached. */
async function put(...of: Parameters<typeof write>): Promise<void> {
  const [resource, name] = of;
  const version = Number(write(...of).metadata.resourceVersion);
  const isCached = () => Number(served.operator.caches.get(resource, name)?.metadata.resourceVersion) >= version;
  await until(isCached, `${name} is cached`);
}
const read = async <T>(path: string): Promise<T> => {
  const answer = await served.ask(`/api/v1${path}`);
  assert.is(answer.status, 200, answer.text);
  return answer.json() as T;
};
const attention = (query = '') => read<AttentionList>(`/attention${query}`);

async function asRole(role: 'viewer' | 'observer', path: string): Promise<string> {
  const { url, stop } = await serveAs(served, tokenOf(role));
  const { status, text } = await ask(`${url}/api/v1${path}`);
  await stop();
  assert.is(status, 200, text);
  return text;
}

/** A project without its Secret, and five services that wait for it. */
async function putShop(): Promise<void> {
  await put(projects, 'shop', { causes: [cause()] }, { clusterRef: { name: 'default' }, environments: ['production'] });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await put(apps, name, { causes: [waits()] });
}

spec('a missing Secret with five dependants is one item, told of the project', async () => {
  await putShop();
  const { items, counts } = await attention();
  assert.equal(
    items.map(({ word, object, cause: { reason, on }, holdsUpCount }) => [
      word,
      object.kind,
      reason,
      on.name,
      holdsUpCount,
    ]),
    [['Retrying', 'CoreProject', 'SecretMissing', 'orders-token', 5]],
  );
  assert.equal(
    items[0]?.holdsUp.map(({ name }) => name),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.equal(counts, { failed: 0, atRisk: 0, crashing: 0, retrying: 1, stuck: 0 });
});

spec('the most urgent word comes first, and what only waits after five minutes', async () => {
  await put(apps, 'web', { causes: [crash('web')] });
  const starting = { reason: 'CopiesStarting', severity: 'progress', on: { ...secret, kind: 'Deployment' } } as const;
  await put(apps, 'slow', { causes: [cause({ ...starting, since: at(4) })] });
  await put(databases, 'db', {
    causes: [cause({ of: 'Backups', reason: 'BackupFailed', on: { ...secret, name: 'x' } })],
  });
  const words = async () => (await attention()).items.map(({ word, object }) => `${word} ${object.name}`);
  assert.equal(await words(), ['At risk db', 'Crashing web']);
  served.clock.ahead += 61_000;
  assert.equal(await words(), ['At risk db', 'Crashing web', 'Stuck slow']);
});

spec('items are of a project and an environment where their object is, or something that they hold up', async () => {
  await putShop();
  await put(apps, 'other', { causes: [crash('other')] }, { project: 'ledger', environment: 'staging' });
  const names = async (query: string) => (await attention(query)).items.map(({ object }) => object.name);
  assert.equal(await names('?project=ledger'), ['other']);
  assert.equal(await names('?project=shop'), ['shop']);
  assert.equal(await names('?environment=production'), ['shop']);
  assert.equal(await names('?project=ledger&environment=production'), []);
});

spec('a failed build counts while it is the current one of its service', async () => {
  const failed = cause({ reason: 'BuildFailed', on: { kind: 'CoreBuild', name: 'web-1', namespace: systemNamespace } });
  await put(builds, 'web-1', { phase: 'Failed', causes: [failed] });
  await put(apps, 'web', { currentBuild: 'web-1' });
  const names = async () => (await attention()).items.map(({ word, object }) => `${word} ${object.name}`);
  assert.equal(await names(), ['Failed web-1']);
  await put(apps, 'web', { currentBuild: 'web-2' });
  assert.equal(await names(), []);
});

spec('500 services of one broken tag are 200 items and a count', async () => {
  for (let index = 0; index < 500; index++) {
    const on = { kind: 'Deployment', name: `s-${index}`, namespace: 'shop-production' };
    write(apps, `s-${index}`, { causes: [cause({ reason: 'ImagePullFailed', on })] });
  }
  await until(() => served.operator.caches.list(apps).length === 500, 'the services are cached');
  const { items, counts } = await attention();
  assert.equal([items.length, counts.retrying], [200, 500]);
});

spec('AUT-031 AUT-033 a viewer reads no names of Secrets and no log lines, an observer the lines', async () => {
  await putShop();
  await put(apps, 'web', { causes: [crash('web')] });
  for (const path of [
    '/attention',
    '/apps',
    '/apps/a',
    '/apps/a/status',
    '/apps/web',
    '/apps/a/explain',
    '/projects/shop',
  ])
    for (const role of ['viewer', 'observer'] as const) {
      const text = await asRole(role, path);
      assert.not.match(text, 'orders-token', `${role} ${path}`);
      if (role === 'viewer') assert.not.match(text, 'no token given', path);
    }
  assert.match(await asRole('observer', '/attention'), 'no token given');
  assert.match(await asRole('viewer', '/attention'), '"exitCode":1');
});

spec('AUT-034 a viewer does not read which services a database holds up', async () => {
  const on = { kind: 'CoreDatabase', name: 'orders', namespace: systemNamespace };
  const atFault = { kind: 'StatefulSet', name: 'orders', namespace: 'shop-production' };
  await put(databases, 'orders', { causes: [cause({ reason: 'CrashLoop', on: atFault })] });
  await put(apps, 'till', { causes: [waits({ on, root: { ...atFault, reason: 'CrashLoop' } })] });
  const [item] = (await attention()).items;
  assert.equal([item?.object.name, item?.holdsUp.map(({ name }) => name)], ['orders', ['till']]);
  const viewers = (JSON.parse(await asRole('viewer', '/attention')) as AttentionList).items[0];
  assert.equal([viewers?.object.name, viewers?.holdsUp, viewers?.holdsUpCount], ['orders', [], 1]);
});

spec('lists, reads and the status of a service hold the worst cause with its hint, or null', async () => {
  await put(apps, 'web', { causes: [crash('web'), waits()] });
  await put(apps, 'api', {});
  const { items } = await read<Items<Summary>>('/apps');
  const { resource } = await read<Read>('/apps/web');
  const status = await read<StatusItem>('/apps/web/status');
  for (const one of [items.find(({ name }) => name === 'web')?.cause, resource.cause, status.cause])
    assert.equal(
      [one?.reason, one?.hint, one?.exitCode, one?.count, one?.logLine, one?.root, one?.gaveUp],
      ['CrashLoop', 'Read the log: core logs web', 1, 9, 'no token given', null, false],
    );
  assert.is(items.find(({ name }) => name === 'api')?.cause, null);
  assert.is((await read<StatusItem>('/apps/api/status')).cause, null);
});

spec('an explanation holds all causes and the way to the root, of a service, a project and a build', async () => {
  await putShop();
  const { causes, chain, items } = await read<Explanations>('/apps/a/explain');
  assert.equal(
    causes.map(({ reason, hint }) => [reason, hint]),
    [['ProjectNotReady', 'kubectl create secret generic orders-token -n shop-production, or set the variable.']],
  );
  assert.equal(
    chain.map(({ kind, name, cause: its }) => [kind, name, its?.reason]),
    [
      ['CoreApp', 'a', 'ProjectNotReady'],
      ['CoreProject', 'shop', 'SecretMissing'],
      ['Secret', 'orders-token', undefined],
    ],
  );
  assert.ok(items.length > 0);
  assert.is((await read<Explanations>('/projects/shop/explain')).causes[0]?.reason, 'SecretMissing');
  await put(builds, 'web-1', { phase: 'Failed', causes: [cause({ reason: 'BuildFailed' })] });
  const build = await read<BuildExplanation>('/builds/web-1/explain');
  assert.equal([build.machine, build.items.length, build.causes[0]?.reason], ['build', 1, 'BuildFailed']);
});

spec('the object at fault may be deleted: the service that names it is told', async () => {
  const on = { kind: 'CoreDatabase', name: 'gone', namespace: systemNamespace };
  await put(apps, 'till', { causes: [cause({ reason: 'DatabaseMissing', on })] });
  const [item] = (await attention()).items;
  assert.equal([item?.object.name, item?.cause.on.name, item?.holdsUpCount], ['till', 'gone', 0]);
  assert.equal(
    (await read<Explanations>('/apps/till/explain')).chain.map(({ name, cause: its }) => [name, its?.reason]),
    [
      ['till', 'DatabaseMissing'],
      ['gone', undefined],
    ],
  );
});

spec('a retry of an item retries each object that was given up, and nothing else', async () => {
  const retry = { gaveUp: true, reconcileFailures: 5 };
  const over = { causes: [waits({ gaveUp: true, resolved: true })] };
  await put(projects, 'shop', {}, { clusterRef: { name: 'default' }, environments: ['production'] });
  await put(apps, 'a', { phase: 'ProvisionFailed', reconcileRetry: retry, ...over });
  await put(databases, 'db', { phase: 'ProvisionFailed', reconcileRetry: retry, ...over });
  await put(apps, 'b', { phase: 'Provisioning', ...over });
  await put(apps, 'c', { causes: [waits()] });
  const [item] = (await attention()).items;
  assert.equal(
    [item?.word, item?.canRetry, item?.cause.resolved, item?.cause.hint],
    ['Failed', true, true, 'That is over: Retry.'],
  );
  const answer = await served.post(`/api/v1/attention/${item?.id ?? ''}/retry`, {});
  assert.equal(answer.json(), {
    retried: [
      { kind: 'CoreApp', name: 'a' },
      { kind: 'CoreDatabase', name: 'db' },
    ],
    refused: [{ kind: 'CoreApp', name: 'b', error: 'there is nothing to retry: it has not been given up' }],
  });
});

spec('a retry of an item without one that was given up does nothing, and of none is 404', async () => {
  await put(apps, 'web', { causes: [crash('web')] });
  const [item] = (await attention()).items;
  assert.is(item?.canRetry, false);
  const answer = await served.post(`/api/v1/attention/${item?.id ?? ''}/retry`, {});
  assert.equal(answer.json(), { retried: [], refused: [] });
  const none = await served.post('/api/v1/attention/x/retry', {});
  assert.equal([none.status, none.json()], [404, { error: 'nothing needs attention under "x"' }]);
});

spec.run();
