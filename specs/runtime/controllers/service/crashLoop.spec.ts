import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { isoTime } from '../../../../rules/time.ts';
import { replicaSets } from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { workloadPods } from '../../../../runtime/controllers/capacity.ts';
import { type ClusterShape, Refused, type WriteError } from '../../../../runtime/services/cluster/cluster.ts';
import { events } from '../../../../runtime/services/cluster/resources.ts';
import { crashLoop } from '../../../support/crashLoop.ts';
import { draft, kubelet as podsOf } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, running, type ServiceSession, withSession } from './session.ts';

const spec = suite('services that crash after they were Ready');

const asDraft = { spec: { deploy: { enabled: false } }, annotations: draft };

interface Kubelet {
  /** The program ends. */
  readonly ends: () => Promise<void>;
  /** It runs again, and is available five seconds later. */
  readonly starts: () => Promise<void>;
}

/** The pod of a service, as a kubelet writes it, and its number of available copies. */
function kubeletOf(session: ServiceSession): Kubelet {
  let restartCount = 0;
  let terminated: object | undefined;
  const put = (state: object, isReady: boolean, available: number) =>
    session.edit(({ cluster }) => {
      const [pod] = cluster.all(workloadPods);
      const container = { name: 'app', restartCount, state, ...(terminated && { lastState: { terminated } }) };
      const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
      const status = { phase: 'Running', conditions, containerStatuses: [container] };
      cluster.put(workloadPods, { ...pod, status } as KubeObject);
      for (const resource of [replicaSets, owned.deployments])
        for (const owner of cluster.all(resource) as readonly (KubeObject & { readonly status?: object })[])
          cluster.put(resource, { ...owner, status: { ...owner.status, availableReplicas: available } } as KubeObject);
    });
  return {
    ends: async () => {
      terminated = { exitCode: 3, reason: 'Error', message: 'boom', finishedAt: isoTime(session.time.wall()) };
      await put({ waiting: { reason: 'CrashLoopBackOff' } }, false, 0);
    },
    starts: async () => {
      restartCount += 1;
      const startedAt = isoTime(session.time.wall());
      await put({ running: { startedAt } }, true, 0);
      await session.pass(3);
      await put({ running: { startedAt } }, true, 1);
    },
  };
}

const warnings = ({ environment }: ServiceSession) =>
  environment.cluster
    .all(events)
    .map((event) => event as { readonly type?: string; readonly reason?: string })
    .flatMap(({ type, reason = '' }) => (type === 'Warning' ? [reason] : []));
const reasonsOf = (session: ServiceSession) => session.object().status?.causes?.map(({ reason }) => reason) ?? [];
const readyIn = (session: ServiceSession, from: number): readonly string[] =>
  session.seen
    .slice(from)
    .map((app) => conditionOf(app, 'Ready')?.status ?? '')
    .filter((status, index, all) => status !== all[index - 1]);

spec('decision 165: a program that ends every 20 s for ten minutes makes one Warning and few writes', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
    const kubelet = kubeletOf(session);
    await session.pass(60);
    const before = session.seen.length;
    let restarts = 0;
    for (; restarts < 30; restarts++) {
      await kubelet.ends();
      await kubelet.starts();
      await session.pass(11);
    }
    const writes = session.seen.length - before;
    assert.equal(readyIn(session, before), ['False', 'True', 'False', 'True', 'False']);
    assert.ok(writes <= 1.2 * restarts, `${writes} writes for ${restarts} restarts`);
    assert.equal(warnings(session), ['CrashLoop']);
    const [cause] = session.object().status?.causes ?? [];
    assert.equal([cause?.reason, cause?.exitCode], ['CrashLoop', 3]);
  }),
);

spec(
  'decision 165: Ready comes back a minute after the program runs, and the cause ends ten minutes after the end',
  () =>
    withSession(asDraft, async (session) => {
      assert.is(await deploy(session), null);
      await running(session);
      const kubelet = kubeletOf(session);
      for (let end = 0; end < 3; end++) {
        await kubelet.ends();
        await kubelet.starts();
      }
      await session.pass(48);
      assert.is(session.ready(), 'False ReconcileError');
      await session.pass(8);
      assert.is(session.ready(), 'True ServiceReady');
      await session.pass(520);
      assert.equal(reasonsOf(session), ['CrashLoop']);
      await session.pass(30);
      assert.equal(reasonsOf(session), []);
    }),
);

/** Seconds: it ends before its copies are available, soon after, and long after. */
for (const runsFor of [1, 4, 6, 20, 55])
  spec(
    `decision 165: a program that ends after ${runsFor} s makes at most 1.2 writes a restart in the first ten minutes`,
    () =>
      withSession(asDraft, async (session) => {
        assert.is(await deploy(session), null);
        await running(session);
        await session.pass(60);
        const before = session.seen.length;
        const ends = await crashLoop({ ...session, runsForMs: runsFor * 1_000, lastsMs: 600_000 });
        const writes = session.seen.length - before;
        assert.ok(ends >= 6, `${ends} ends`);
        assert.ok(writes <= 1.2 * ends, `${writes} writes for ${ends} ends`);
        const moves = ['False', 'True', 'False', 'True', 'False'];
        assert.equal(readyIn(session, before), runsFor < 5 ? ['False'] : moves);
        assert.equal(warnings(session), ['CrashLoop']);
        await session.pass(180);
        assert.is(session.object().status?.causes?.[0]?.count, ends);
      }),
  );

spec('a program that runs for more than a minute before each end crashes and is not flapping', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    await session.pass(60);
    const before = session.seen.length;
    await crashLoop({ ...session, runsForMs: 70_000, lastsMs: 600_000 });
    assert.ok(readyIn(session, before).length >= 6);
    assert.equal(warnings(session), ['CrashLoop']);
  }),
);

spec('decision 185: copies that come and go without an end are flapping, which is one cause in and out of Ready', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    for (let move = 0; move < 5; move++) {
      await session.pass(20);
      await session.edit((environment) => podsOf(environment, 'starts'));
      if (move >= 3) assert.equal(reasonsOf(session), ['Flapping', 'CopiesStarting']);
      await session.pass(20);
      await running(session);
      if (move >= 2) assert.equal(reasonsOf(session), ['Flapping']);
    }
    assert.equal(warnings(session), ['Flapping']);
    await session.pass(600);
    assert.equal(reasonsOf(session), []);
  }),
);

spec('an API that refuses Events of causes fails no pass: the cause is recorded, and over again', () => {
  let refusals = 0;
  const refused = <A>(resource: { readonly plural: string }, otherwise: () => Effect.Effect<A, WriteError>) => {
    if (resource.plural !== 'events') return otherwise();
    refusals += 1;
    return Effect.fail(new Refused({ status: 403, message: 'events is forbidden' }));
  };
  const through = (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    create: (resource, object) => refused(resource, () => cluster.create(resource, object)),
    apply: (resource, object, over) => refused(resource, () => cluster.apply(resource, object, over)),
    patch: (resource, name, patch, only) => refused(resource, () => cluster.patch(resource, name, patch, only)),
  });
  return withSession({ ...asDraft, through }, async (session) => {
    assert.is(await deploy(session), null);
    await running(session);
    await kubeletOf(session).ends();
    await session.pass(10);
    assert.is(session.app().status?.causes?.[0]?.reason, 'CrashLoop');
    assert.ok(refusals > 0);
    await running(session);
    await session.pass(10);
    assert.equal(session.app().status?.causes ?? [], []);
    assert.is(session.ready(), 'True ServiceReady');
  });
});

spec.run();
