import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { historyOf } from '../../../runtime/step/history.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { leases } from '../../../runtime/lead/leaseRecord.ts';
import { jobs } from '../../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import type { Operator } from '../../../runtime/operator.ts';
import { type Started, startOperator } from '../../../runtime/start.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { suite } from '../../support/suite.ts';
import { type VirtualTime, virtualTime } from '../../support/virtualTime.ts';
import { userBuild, makeTestEnvironment, type TestEnvironment } from '../../support/environment.ts';

const spec = suite('leader and stand-by');
const seconds = 15;
const options = {
  ...everything({ builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' } }),
  workers: 2,
};

/** An environment in which several operators run; `writes` names everything that one of them wrote, except Events. */
function makeHouse() {
  const time = virtualTime();
  const environment = makeTestEnvironment();
  const writes: string[] = [];
  const start = (identity: string): Promise<Started> => {
    const inner = Context.get(environment.services, Cluster);
    const told = (kind: string) => Effect.sync(() => void (kind === 'Event' || writes.push(`${identity} ${kind}`)));
    const cluster: typeof inner = {
      ...inner,
      create: (resource, object) => Effect.tap(inner.create(resource, object), () => told(resource.kind)),
      patch: (resource, ...rest) => Effect.tap(inner.patch(resource, ...rest), () => told(resource.kind)),
      patchStatus: (resource, ...rest) => Effect.tap(inner.patchStatus(resource, ...rest), () => told(resource.kind)),
      remove: (resource, ...rest) => Effect.tap(inner.remove(resource, ...rest), () => told(resource.kind)),
    };
    const services = time.over(Context.add(environment.services, Cluster, cluster));
    return time.wait(startOperator(services, options, { lease: { identity, seconds } }));
  };
  return { time, environment, writes, start };
}

async function pass(time: VirtualTime, ms: number): Promise<void> {
  const until = time.now() + ms;
  await time.settle();
  for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
  await time.moveTo(until);
}

async function pair() {
  const house = makeHouse();
  const leader = await house.start('leader');
  await pass(house.time, 1_000);
  const other = await house.start('other');
  await pass(house.time, 1_000);
  return { ...house, leader, other };
}

const phaseOf = (environment: TestEnvironment, name: string) => environment.build(name)?.status?.phase;
const buildLife = ({ controllers }: Operator) => {
  const controller = controllers.find(({ resource }) => resource.kind === 'CoreBuild');
  const lifecycle = controller?.lifecycles[0];
  if (!controller || !lifecycle) throw new Error('no builds');
  return { controller, lifecycle };
};
const cancel = ({ operator }: Started, name: string) => {
  const { controller, lifecycle } = buildLife(operator);
  return Effect.runPromise(operator.move(controller, lifecycle, name, { asked: { is: 'cancel' }, by: 'admin' }));
};

spec('only the leader runs passes; the standby caches everything', async () => {
  const { environment, time, writes, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 5_000);
  assert.is(phaseOf(environment, 'a'), 'Running');
  assert.equal(
    writes.filter((write) => write.startsWith('other')),
    [],
  );
  assert.is(other.operator.caches.of(builds).get('a')?.status?.phase, 'Running');
  assert.equal([await time.wait(leader.leads()), await time.wait(other.leads())], [true, false]);
  for (const one of [leader, other]) await time.wait(one.crash());
});

spec('the standby completes a build with one Job when the leader dies in the middle', async () => {
  const { environment, time, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 1_000);
  await time.wait(leader.crash());
  environment.endJob('a', 'Complete');
  environment.cluster.put(builds, userBuild('b', { app: 'later' }));
  await pass(time, 10_000);
  assert.equal(
    [phaseOf(environment, 'a'), phaseOf(environment, 'b')],
    ['Running', ''].map((phase) => phase || undefined),
  );
  await pass(time, seconds * 1_200 - 10_000);
  assert.equal([phaseOf(environment, 'a'), phaseOf(environment, 'b')], ['Succeeded', 'Running']);
  assert.is(environment.cluster.created.filter(({ plural }) => plural === jobs.plural).length, 2);
  assert.is(await time.wait(other.leads()), true);
  await time.wait(other.crash());
});

spec('a new leader reconciles all objects and finds changes since the former leader stopped', async () => {
  const { environment, time, leader, other } = await pair();
  await time.wait(leader.stop());
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 2_100);
  assert.is(phaseOf(environment, 'a'), 'Running');
  assert.is(await time.wait(other.leads()), true);
  await time.wait(other.crash());
});

spec('a resigning leader hands over at once and serves commands until it stops', async () => {
  const { environment, time, writes, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 1_000);
  await time.wait(leader.resign());
  writes.length = 0;
  await pass(time, 2_100);
  assert.equal([await time.wait(leader.leads()), await time.wait(other.leads())], [false, true]);
  const moved = await time.wait(cancel(leader, 'a'));
  assert.is(historyOf(moved).at(-1)?.event, 'cancelAsked');
  await pass(time, 1_000);
  assert.is(phaseOf(environment, 'a'), 'Cancelled');
  assert.is(leader.operator.caches.of(builds).get('a')?.status?.phase, 'Cancelled');
  const own = () => writes.filter((write) => write.startsWith('leader'));
  assert.equal(own(), ['leader CoreBuild']);
  await time.wait(leader.stop());
  await pass(time, 20_000);
  assert.equal(own(), ['leader CoreBuild']);
  assert.is(await time.wait(other.leads()), true);
  await time.wait(other.crash());
});

spec('a killed leader that still serves does not delay the next leader', async () => {
  const { environment, time, leader, other } = await pair();
  await time.wait(leader.resign());
  await time.wait(leader.crash());
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 2_100);
  assert.is(await time.wait(other.leads()), true);
  assert.is(phaseOf(environment, 'a'), 'Running');
  await time.wait(other.crash());
});

spec('BLD-168 a command on the standby is recorded and answered by it, and followed by the leader', async () => {
  const { environment, time, writes, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 1_000);
  writes.length = 0;
  const moved = await time.wait(cancel(other, 'a'));
  assert.is(historyOf(moved).at(-1)?.event, 'cancelAsked');
  await pass(time, 1_000);
  assert.is(phaseOf(environment, 'a'), 'Cancelled');
  assert.equal(environment.cluster.all(jobs), [], 'the leader removed the Job');
  assert.equal(
    writes.filter((write) => write.startsWith('other')),
    ['other CoreBuild'],
  );
  assert.ok(writes.includes('leader Job'));
  for (const one of [leader, other]) await time.wait(one.crash());
});

spec('a standby explains from its caches and reports that it ran no pass', async () => {
  const { environment, time, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 1_000);
  const { controller, lifecycle } = buildLife(other.operator);
  const explained = await Effect.runPromise(other.operator.explain(controller, lifecycle, 'a'));
  assert.equal([explained.state, explained.observedAt], ['Running', null]);
  assert.is(other.operator.requeueAt(controller, 'a'), undefined);
  const led = buildLife(leader.operator);
  assert.ok(leader.operator.requeueAt(led.controller, 'a'));
  for (const one of [leader, other]) await time.wait(one.crash());
});

spec('a leader without its lease runs no passes and reconciles all objects when it acquires the lease', async () => {
  const { environment, time, writes, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('old', { app: 'old' }));
  await pass(time, 1_000);
  const { controller } = buildLife(leader.operator);
  assert.ok(leader.operator.requeueAt(controller, 'old'));
  const stored = environment.cluster.all(leases)[0];
  if (!stored) throw new Error('no lease');
  environment.cluster.put(leases, { ...stored, spec: { ...stored.spec, holderIdentity: 'other' } });
  await pass(time, 5_000);
  assert.is(leader.operator.requeueAt(controller, 'old'), undefined);
  writes.length = 0;
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 5_000);
  assert.is(phaseOf(environment, 'a'), 'Running');
  assert.equal(
    writes.filter((write) => write.startsWith('leader')),
    [],
  );
  environment.endJob('a', 'Complete');
  await time.wait(other.crash());
  await pass(time, seconds * 1_200);
  assert.is(phaseOf(environment, 'a'), 'Succeeded');
  assert.is(leader.operator.caches.of(builds).get('a')?.status?.phase, 'Succeeded');
  await time.wait(leader.crash());
});

spec('an idle leader writes only the lease for ten minutes', async () => {
  const { environment, time, writes, leader, other } = await pair();
  environment.cluster.put(builds, userBuild('a'));
  await pass(time, 1_000);
  environment.endJob('a', 'Complete');
  await pass(time, 10_000);
  assert.is(phaseOf(environment, 'a'), 'Succeeded');
  writes.length = 0;
  await pass(time, 600_000);
  assert.equal([...new Set(writes)], ['leader Lease']);
  assert.ok(writes.length >= 290 && writes.length <= 410, `${writes.length} renewals`);
  for (const one of [leader, other]) await time.wait(one.crash());
});

spec.run();
