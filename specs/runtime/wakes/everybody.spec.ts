import { Effect } from 'effect';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { type ReplicaSet, replicaSets } from '../../../runtime/owned/addonKinds.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { logicalDatabaseController } from '../../../runtime/controllers/logicalDatabase/controller.ts';
import { objectStoreController } from '../../../runtime/controllers/objectStore/controller.ts';
import { apps, clusters, projects } from '../../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { deploymentRuns } from '../../bench/serviceLives.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import { startSession } from '../../support/session.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { changes, metadataOf, prepare } from './shop.ts';

const spec = suite('objects woken by a change, against all objects');

/** What is written meanwhile, by kind and name. */
async function writesIn(environment: TestEnvironment, work: () => Promise<unknown>): Promise<readonly string[]> {
  const written = new Set<string>();
  const before = new Map(environment.cluster.everything().map((one) => [keyOf(one), one]));
  await work();
  for (const object of environment.cluster.everything())
    if (object.kind !== 'Event' && before.get(keyOf(object)) !== object) written.add(keyOf(object));
  return [...written].toSorted();
}

const controllers = (): readonly Controller[] => [
  appController({ gitUrl: 'https://git.example' }),
  databaseController(),
  logicalDatabaseController(),
  objectStoreController(),
];

/** A bug: the watches of a resource read something else of it than they should. */
interface Planted {
  readonly of: Resource;
  readonly reads: (watched: KubeObject) => unknown;
}

const withBug = ({ of, reads }: Planted): readonly Controller[] =>
  controllers().map((controller) => ({
    ...controller,
    watches: controller.watches.map((one) => (one.resource === of ? { ...one, reads } : one)),
  }));

/** How the caches hear of a change: at once, late, or by a new list. */
type Hearing = 'atOnce' | 'late' | 'relisted';
const pluralsOf = (environment: TestEnvironment): readonly string[] => [
  ...new Set(environment.cluster.everything().map(({ kind = '' }) => `${kind.toLowerCase()}s`)),
];

/** The ReplicaSet of a Deployment, with its one pod available. */
const setOf = (environment: TestEnvironment, { metadata }: KubeObject): ReplicaSet => ({
  metadata: {
    ...metadataOf(environment, replicaSets, metadata.name),
    namespace: metadata.namespace ?? '',
    labels: metadata.labels ?? {},
    ownerReferences: [{ uid: metadata.uid ?? '' } as never],
  },
  status: { availableReplicas: 1 },
});

/** The operator over them, and what plays the Deployment controller. */
async function begun(over = controllers()) {
  const live = await startSession({ resource: apps, name: 'plain', controllers: over, prepare });
  const { cluster } = live.environment;
  const edit = async (act: () => void) => {
    await live.edit(act);
    for (const deployment of cluster.all(owned.deployments)) {
      cluster.put(replicaSets, setOf(live.environment, deployment));
      await live.time.wait(Effect.runPromise(deploymentRuns(cluster, deployment)));
    }
    await live.pass(5);
  };
  await live.pass(60);
  await edit(() => {});
  assert.is(live.phase(), 'Ready');
  return { ...live, edit };
}
type Live = Awaited<ReturnType<typeof begun>>;

/** What is written when everybody passes, and no time does. */
const missedIn = (live: Live): Promise<readonly string[]> => writesIn(live.environment, () => live.crash());

spec('every single change and its reversal wakes all objects whose passes write for it', async () => {
  const live = await begun();
  for (const [name, change] of Object.entries(changes))
    for (const on of [false, true, false, true]) {
      await live.edit(() => change(live.environment, on));
      assert.equal(await missedIn(live), [], `${name}: ${on}`);
    }
  await live.end();
});

const drawn = fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.boolean()), {
  minLength: 2,
  maxLength: 6,
});

spec('changes wake all objects whose passes write for them, by any way of notification', () =>
  fc.assert(
    fc.asyncProperty(drawn, fc.constantFrom<Hearing>('atOnce', 'late', 'relisted'), async (all, hearing) => {
      const live = await begun();
      const { cluster } = live.environment;
      const plurals = hearing === 'atOnce' ? [] : pluralsOf(live.environment);
      for (const plural of plurals) cluster.lag({ plural }, true);
      for (const [name, on] of all) await live.edit(() => changes[name]?.(live.environment, on));
      if (hearing === 'relisted') cluster.forget();
      for (const plural of plurals) cluster.lag({ plural }, false);
      await live.pass(5);
      assert.equal(await missedIn(live), []);
      await live.end();
    }),
    { numRuns: 30 },
  ),
);

const bugs: Readonly<Record<string, Planted>> = {
  'the project is Ready': { of: projects, reads: (project) => ('spec' in project ? project.spec : null) },
  'its environments': { of: projects, reads: () => null },
  'the cluster is Ready': { of: clusters, reads: (cluster) => ('spec' in cluster ? cluster.spec : null) },
  'a value in it': { of: secrets, reads: (secret) => Object.keys('data' in secret ? Object(secret.data) : {}) },
};

for (const [name, planted] of Object.entries(bugs))
  spec(`a watch that reads too little is detected: ${name}`, async () => {
    const live = await begun(withBug(planted));
    const missed: string[] = [];
    for (const on of [false, true]) {
      await live.edit(() => changes[name]?.(live.environment, on));
      missed.push(...(await missedIn(live)));
    }
    await live.end();
    assert.ok(missed.length > 0);
  });

spec.run();
