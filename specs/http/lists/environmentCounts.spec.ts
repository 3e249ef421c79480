import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import type { EnvironmentCounts, Items, KindCounts, Summary } from '../../../http/api.ts';
import { waits } from '../../../http/dashboard/model/project.ts';
import { countedKinds, environmentCounts, rowText } from '../../../http/lists/environmentCounts.ts';
import { appSummary } from '../../../http/views/app.ts';
import { databaseSummary } from '../../../http/views/database.ts';
import { logicalSummary } from '../../../http/views/logicalDatabase.ts';
import { objectStoreSummary } from '../../../http/views/objectStore.ts';
import { isListed } from '../../../rules/redaction/redact.ts';
import type { Caches } from '../../../runtime/cache/caches.ts';
import { forgetAllBut, makeIndexer } from '../../../runtime/cache/indexer.ts';
import { keyIn } from '../../../runtime/cache/key.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { serve } from '../served.ts';
import { putApps, reading, removeApp, resting } from './given.ts';

const spec = suite('incremental counts of environments');

/** The summary of each kind, and the fields that its objects need besides their place. */
const kinds: Readonly<Record<string, { readonly show: unknown; readonly fields: object }>> = {
  CoreApp: { show: appSummary, fields: { source: { image: 'nginx' } } },
  CoreDatabase: { show: databaseSummary, fields: { engine: 'Postgres', placement: 'InCluster' } },
  CoreLogicalDatabase: { show: logicalSummary, fields: { serverRef: 'shared' } },
  CoreObjectStore: { show: objectStoreSummary, fields: { mode: 'Bucket' } },
};

const drawn = fc.record({
  is: fc.constantFrom('put', 'put', 'put', 'put', 'old', 'again', 'delete', 'relist', 'read'),
  kind: fc.constantFrom(...Object.keys(kinds)),
  name: fc.constantFrom('a', 'a-b', 'b', 'c'),
  project: fc.constantFrom('shop', 'shop', 'ledger', undefined),
  environment: fc.constantFrom('production', 'staging', 'pr-1'),
  enabled: fc.constantFrom(true, false),
  ready: fc.constantFrom('True', 'False', undefined),
  reason: fc.constantFrom('Ready', 'ProvisionFailed'),
  deleting: fc.constantFrom(false, false, true),
  annotations: fc.constantFrom(
    {},
    { [annotation.deployWorkflow]: 'true' },
    { [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'settings' },
    { [annotation.deployWorkflow]: 'true', [annotation.deployRevision]: '7' },
  ),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function objectOf({ kind, name, ...of }: Drawn, version: number, uid: string): KubeObject {
  const { project, environment, enabled, ready, reason, annotations } = of;
  return {
    kind,
    metadata: {
      name,
      uid,
      resourceVersion: `${version}`,
      annotations,
      ...(of.deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: {
      ...kinds[kind]?.fields,
      ...(project === undefined ? {} : { project, environment }),
      ...(kind === 'CoreLogicalDatabase' ? {} : { deploy: { enabled } }),
    },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready, reason, message: '' }] },
  } as KubeObject;
}

/** Caches of the counted kinds without a cluster, of which a spec says what is reported. */
function cachesKnown() {
  const indexers = new Map(countedKinds.map(({ resource }) => [resource.kind, makeIndexer<KubeObject>([])]));
  const indexerOf = (kind: string) => indexers.get(kind) ?? makeIndexer<KubeObject>([]);
  let version = 10;
  const of = ({ kind }: Resource) => ({
    get: (name: string) => indexerOf(kind).get(keyIn('', name)),
    list: () => indexerOf(kind).list(),
    onChange: indexerOf(kind).onChange,
  });
  return {
    caches: { of } as unknown as Pick<Caches, 'of'>,
    report: (one: Drawn): void => {
      version += 1;
      const indexer = indexerOf(one.kind);
      const uid = indexer.get(keyIn('', one.name))?.metadata.uid ?? `${one.name} ${version}`;
      if (one.is === 'put') indexer.put(objectOf(one, version, uid), 'reported');
      // An event that comes late.
      else if (one.is === 'old') indexer.put(objectOf(one, version - 5, uid), 'reported');
      // It was deleted and made anew, and only the new one is heard of.
      else if (one.is === 'again') indexer.put(objectOf(one, version, `${one.name} ${version}`), 'reported');
      else if (one.is === 'delete') indexer.forget(keyIn('', one.name), `${version}`);
      else if (one.is === 'relist') forgetAllBut(indexer, new Set([keyIn('', one.name), keyIn('', 'a')]), `${version}`);
    },
    /** What the lists of all kinds would answer. */
    summaries: (): readonly Summary[] =>
      [...indexers].flatMap(([kind, indexer]) => {
        const show = kinds[kind]?.show as (object: KubeObject, view: 'whole') => Summary;
        return indexer.list().map((object) => show(object, 'whole'));
      }),
  };
}

const countsOf = (some: readonly Summary[]) => {
  const states: Record<string, number> = {};
  for (const { state } of some) states[state] = (states[state] ?? 0) + 1;
  return { states, waiting: some.filter(waits).length };
};

const scratchEnvironments = (all: readonly Summary[]): readonly EnvironmentCounts[] =>
  [...new Set(all.map(({ project, environment }) => `${project} ${environment}`))]
    .toSorted()
    .map((place) => all.filter(({ project, environment }) => `${project} ${environment}` === place))
    .map((here) => {
      const [{ project, environment } = { project: '', environment: '' }] = here;
      return { project, environment, ...countsOf(here) };
    });

const scratchKinds = (all: readonly Summary[]): readonly KindCounts[] =>
  Object.keys(kinds).map((kind) => ({ kind, ...countsOf(all.filter((one) => one.kind === kind)) }));

spec('incremental counts equal a full recount after any changes', () => {
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 40 }), (changes) => {
      const { caches, report, summaries } = cachesKnown();
      const counts = environmentCounts(caches);
      const compare = () => {
        const all = summaries();
        const rows = counts.environments().map((held) => JSON.parse(rowText(held)) as EnvironmentCounts);
        assert.equal(rows, scratchEnvironments(all));
        assert.equal(counts.kinds({}), scratchKinds(all));
        for (const place of [{ project: 'shop' }, { environment: 'staging' }, { project: 'ledger', environment: 'x' }])
          assert.equal(
            counts.kinds(place),
            scratchKinds(
              all.filter((one) => Object.entries(place).every(([name, is]) => one[name as 'project'] === is)),
            ),
          );
      };
      for (const one of changes) {
        report(one);
        if (one.is === 'read') compare();
      }
      compare();
    }),
    { numRuns: 300 },
  );
});

spec('every counted kind is listed for a viewer', () => {
  for (const { resource } of countedKinds) assert.ok(isListed(resource.kind, 'viewer'), resource.kind);
});

spec('counts by environment and kind follow each change and are equal for a viewer', async () => {
  const served = await serve();
  try {
    const list = reading((path) => served.ask(path));
    const environments = async (query = '') =>
      (await list.page<EnvironmentCounts>(`/counts/environments${query}`)).items;
    const services = async (query = '') =>
      (await list.page<KindCounts>(`/counts/kinds${query}`)).items.find(({ kind }) => kind === 'CoreApp');
    await putApps(served, ['a', 'b']);
    await putApps(served, ['c'], { environment: 'staging' });
    const production = { project: 'demo', environment: 'production', states: { draft: 2 }, waiting: 2 };
    const staging = { project: 'demo', environment: 'staging', states: { draft: 1 }, waiting: 1 };
    assert.equal(await environments(), [production, staging]);
    assert.equal(await environments('?limit=1'), [production]);
    assert.equal(await environments('?project=other'), []);
    assert.equal(await services('?environment=staging'), { kind: 'CoreApp', states: { draft: 1 }, waiting: 1 });
    served.world.cluster.put(apps, resting('b', { environment: 'staging', deploy: { enabled: true } }));
    await until(() => served.operator.caches.get(apps, 'b')?.spec.environment === 'staging', 'it has moved');
    await removeApp(served, 'c');
    const moved = { states: { pending: 1 }, waiting: 0 };
    assert.equal(await environments(), [
      { ...production, states: { draft: 1 }, waiting: 1 },
      { ...staging, ...moved },
    ]);
    assert.equal(await services(), { kind: 'CoreApp', states: { draft: 1, pending: 1 }, waiting: 1 });
    const whole = await served.ask('/api/v1/counts/environments');
    const { token } = await served.makeToken({ role: 'viewer' });
    const viewed = await served.askAs(token, '/api/v1/counts/environments');
    assert.equal((viewed.json() as Items<EnvironmentCounts>).items, (whole.json() as Items<EnvironmentCounts>).items);
  } finally {
    await served.stop();
  }
});

spec.run();
