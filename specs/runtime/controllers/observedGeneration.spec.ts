import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { coreHAReadiness } from '../../../crds/coreHAReadiness.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { type Condition, conditionOf } from '../../../rules/condition.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { haReadinessController } from '../../../runtime/controllers/haReadiness/controller.ts';
import { haReadiness } from '../../../runtime/services/cluster/kinds.ts';
import { databaseName, putDatabase } from '../../support/database.ts';
import { kubelet, putService } from '../../support/service.ts';
import { startSession } from '../../support/session.ts';
import { suite } from '../../support/suite.ts';
import { databaseSession } from './database/session.ts';
import { deploy, withSession } from './service/session.ts';

const spec = suite('the generation that was decided over, of every version of an object');

interface Versions extends KubeObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** What must hold of every version that was stored: what is judged is never behind what is said to be decided over. */
function checkVersions(seen: readonly Versions[]): void {
  let last = 0;
  for (const { metadata, status } of seen) {
    const observed = status?.observedGeneration ?? 0;
    const judged = conditionOf({ metadata, ...(status && { status }) }, 'Ready')?.observedGeneration ?? 0;
    assert.ok(observed <= judged, `${observed} is said to be decided over, ${judged} is judged`);
    assert.ok(observed <= (metadata.generation ?? 0), 'no generation of the future');
    assert.ok(observed >= last, 'never back');
    last = observed;
  }
}

const pausing = (value: 'true' | null) => ({ [annotation.paused]: value });
const acts = ['image', 'replicas', 'pause', 'resume', 'runs', 'starts', 'crashes', 'deploy', 'wait', 'die'] as const;

spec('decision 169: of a service it is never ahead of Ready, whatever happens, and it catches up', async () => {
  const sequences = fc.array(fc.constantFrom(...acts), { minLength: 3, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(sequences, (sequence) =>
      withSession({}, async (session) => {
        let image = 1;
        const put = (...given: [object, Record<string, string | null>?]) =>
          session.edit((environment) => putService(environment, ...given));
        const act: Record<(typeof acts)[number], () => Promise<unknown>> = {
          image: () => put({ source: { image: `nginx:1.${++image}` } }),
          replicas: () => put({ replicas: image + 1 }),
          pause: () => put({}, pausing('true')),
          resume: () => put({}, pausing(null)),
          runs: () => session.edit((environment) => kubelet(environment, 'runs')),
          starts: () => session.edit((environment) => kubelet(environment, 'starts')),
          crashes: () => session.pass(200),
          deploy: () => deploy(session, `r${image}`),
          wait: () => session.pass(31),
          die: () => session.crash(),
        };
        for (const step of sequence) await act[step]();
        await act.resume();
        await session.pass(30);
        checkVersions(session.seen);
        const { metadata, status } = session.app();
        assert.is(status?.observedGeneration, metadata.generation, 'in the end it is the newest');
        const { resourceVersion } = metadata;
        if (status?.phase === 'Ready') await session.pass(600);
        if (status?.phase === 'Ready') assert.is(session.app().metadata.resourceVersion, resourceVersion, 'at rest');
      }),
    ),
    { numRuns: 25 },
  );
});

spec('decision 169: of a database it is never ahead of Ready', async () => {
  const session = await databaseSession({ spec: { deploy: { enabled: true } } });
  for (const instances of [2, 3, 2]) {
    await session.edit((environment) => putDatabase(environment, { instances }));
    await session.pass(120);
  }
  checkVersions(session.seen);
  const { metadata, status } = session.database();
  assert.is(metadata.name, databaseName);
  assert.is(status?.observedGeneration, metadata.generation);
  await session.end();
});

spec('decision 169: a report that is not due is judged anew for its generation', async () => {
  const earlier = '2020-01-01T00:00:00Z';
  const report = {
    ...typeMeta(coreHAReadiness),
    metadata: { name: 'check', namespace: 'core-system', generation: 1 },
    spec: { requestedAt: '2020-01-02T00:00:00Z' },
  };
  const session = await startSession({
    resource: haReadiness,
    name: 'check',
    controllers: [haReadinessController()],
    prepare: ({ cluster }) => {
      cluster.put(clusterNodes, { metadata: { name: 'one' } });
      cluster.put(haReadiness, report);
    },
  });
  await session.pass(1);
  const { checkedAt } = session.object().status ?? {};
  await session.edit(({ cluster }) => {
    const { metadata, ...rest } = session.object();
    cluster.put(haReadiness, { ...rest, metadata: { ...metadata, generation: 2 }, spec: { requestedAt: earlier } });
  });
  const { status } = session.object();
  assert.equal([status?.observedGeneration, status?.checkedAt], [2, checkedAt]);
  assert.is(conditionOf(session.object(), 'Ready')?.observedGeneration, 2);
  checkVersions(session.seen);
  await session.end();
});

spec.run();
