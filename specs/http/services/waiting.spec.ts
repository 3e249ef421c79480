import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { coreApp } from '../../../crds/coreApp.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import type { EnvironmentCounts, EnvironmentDeployed, Items, Summary } from '../../../http/api.ts';
import { apps, databases, logicalDatabases, objectStores } from '../../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { inSystem } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { type Asking, asking, image, placed, serveShop } from './given.ts';

const spec = suite('waiting resources of an environment');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

type Kind = 'service' | 'database' | 'bucket' | 'logicalDatabase';
interface Kinds {
  readonly resource: Resource;
  readonly definition: Parameters<typeof typeMeta>[0];
  readonly fields: object;
}
const kinds: Readonly<Record<Kind, Kinds>> = {
  service: { resource: apps, definition: coreApp, fields: { source: { image } } },
  database: { resource: databases, definition: coreDatabase, fields: { engine: 'SQLite' } },
  bucket: {
    resource: objectStores,
    definition: coreObjectStore,
    fields: { mode: 'Bucket', serverRef: { name: 'store' } },
  },
  logicalDatabase: {
    resource: logicalDatabases,
    definition: coreLogicalDatabase,
    fields: { serverRef: 'shared' },
  },
};

const drawn = fc.record({
  kind: fc.constantFrom<Kind>('service', 'service', 'database', 'bucket', 'logicalDatabase'),
  environment: fc.constantFrom('production', 'production', 'testing'),
  enabled: fc.boolean(),
  workflow: fc.boolean(),
  pending: fc.constantFrom('', '', 'settings', 'settings, variables'),
  snapshot: fc.boolean(),
  deleting: fc.constantFrom(false, false, true),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** Puts an object that no pass changes. */
function put({ kind, environment, enabled, ...of }: Drawn, name: string): void {
  const { resource, definition, fields } = kinds[kind];
  const gate = kind === 'logicalDatabase' ? {} : { deploy: { enabled } };
  const fieldsOf = { ...placed, ...fields, ...gate, environment };
  const metadata = {
    ...inSystem(name),
    finalizers: ['example.org/held'],
    annotations: {
      [annotation.paused]: 'true',
      ...(of.workflow ? { [annotation.deployWorkflow]: 'true' } : {}),
      ...(of.pending === '' ? {} : { [annotation.pendingChanges]: of.pending }),
      ...(of.snapshot ? { [annotation.lastDeployed]: JSON.stringify(fieldsOf) } : {}),
    },
  };
  const { cluster } = served.world;
  cluster.put(resource, { ...typeMeta(definition), metadata, spec: fieldsOf } as KubeObject);
  if (of.deleting) cluster.drop(resource, name);
}

/** Removes an object at once, whatever holds it. */
function clear(resource: Resource): void {
  const { cluster } = served.world;
  for (const object of cluster.all(resource)) {
    const { name } = object.metadata;
    cluster.put(resource, { ...object, metadata: { ...object.metadata, finalizers: [] } });
    if (cluster.all(resource).some(({ metadata }) => metadata.name === name)) cluster.drop(resource, name);
  }
}

async function putAll(all: readonly Drawn[]): Promise<void> {
  for (const { resource } of Object.values(kinds)) clear(resource);
  for (const [index, one] of all.entries()) put(one, `${one.kind.toLowerCase()}-${index}`);
  const { caches } = served.operator;
  const versions = (of: (resource: Resource) => readonly KubeObject[]) =>
    Object.values(kinds)
      .flatMap(({ resource }) => of(resource))
      .map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`)
      .toSorted()
      .join();
  await until(() => versions((one) => caches.list(one)) === versions((one) => served.world.cluster.all(one)), 'cached');
}

const waitingNow = async (environment: string): Promise<number> =>
  (await the.read<Items<EnvironmentCounts>>('/counts/environments?project=shop')).items.find(
    (one) => one.environment === environment,
  )?.waiting ?? 0;

const listed = async (environment: string): Promise<readonly string[]> => {
  const lists = await Promise.all(
    ['/apps', '/databases', '/object-stores'].map((list) =>
      the.read<Items<Summary>>(`${list}?project=shop&environment=${environment}&waiting=true`),
    ),
  );
  return lists.flatMap(({ items }) => items.map(({ name }) => name)).toSorted();
};

spec(
  'API-019 CLI-031 the counted and listed waiting resources are exactly those of a deploy, for generated objects',
  async () => {
    let deployments = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 8 }), async (all) => {
        await putAll(all);
        for (const environment of ['production', 'testing']) {
          const [counted, names] = [await waitingNow(environment), await listed(environment)];
          const told = (await the.post('/projects/shop/deploy', { environment })).json() as EnvironmentDeployed;
          assert.equal(told.refused, []);
          assert.equal(told.deployed.toSorted(), names);
          assert.is(told.deployed.length, counted);
          deployments += told.deployed.length;
        }
      }),
      { numRuns: 15 },
    );
    assert.ok(deployments > 0, 'something was deployed');
  },
);

spec('a resource under deletion is neither waiting nor deployed', async () => {
  const draft = {
    environment: 'production',
    enabled: false,
    workflow: true,
    pending: 'settings',
    snapshot: false,
  } as const;
  await putAll([
    { ...draft, kind: 'service', deleting: true },
    { ...draft, kind: 'database', deleting: true },
    { ...draft, kind: 'bucket', deleting: false },
  ]);
  assert.equal([await waitingNow('production'), await listed('production')], [1, ['bucket-2']]);
  const told = (await the.post('/projects/shop/deploy', { environment: 'production' })).json() as EnvironmentDeployed;
  assert.equal([told.deployed, told.refused], [['bucket-2'], []]);
});

spec.run();
