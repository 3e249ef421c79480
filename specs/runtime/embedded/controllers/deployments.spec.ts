import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { podSpec } from '../../../../runtime/embedded/api/kinds/rules/podDefaults.ts';
import { createReplicaSetController } from '../../../../runtime/embedded/controllers/replicaSet.ts';
import { fence } from '../../../../runtime/embedded/controllers/deploymentSize.ts';
import type { Deployment } from '../../../../runtime/embedded/controllers/shapes.ts';
import { createEvents } from '../../../../runtime/embedded/nodes/events.ts';
import { pullFailure } from '../../../../runtime/embedded/nodes/podStatus.ts';
import { readySince } from '../../../../runtime/embedded/nodes/readiness.ts';
import { marksOf } from '../../../../runtime/embedded/surroundings.ts';
import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { podsSeen, type StartingPod } from '../../../../rules/pods.ts';
import { suite } from '../../../support/suite.ts';
import { type Controlled, controlled, template, verdict } from './world.ts';

const deployments = suite('Deployments and their ReplicaSets');
const images = (world: Controlled) => world.active().map(({ spec }) => spec?.containers?.[0]?.image);
const revisions = (world: Controlled) =>
  world
    .sets()
    .map(({ metadata }) => Number(metadata.annotations?.['deployment.kubernetes.io/revision']))
    .sort((a, b) => a - b);

deployments('pods are created by a ReplicaSet and counted in the status of the Deployment', async () => {
  const world = await controlled();
  await world.deploy();
  await world.clock.turn(1);
  const [set, ...others] = world.sets();
  assert.is(others.length, 0);
  assert.match(set?.metadata.name ?? '', /^web-[bcdf-hj-np-tv-xz2456789]{5,10}$/);
  assert.is(set?.metadata.labels?.['pod-template-hash'], set?.metadata.name.slice(4));
  for (const { metadata } of world.active()) assert.match(metadata.name, new RegExp(`^${set?.metadata.name}-.{5}$`));
  const { readyReplicas, updatedReplicas, availableReplicas, unavailableReplicas } = world.deployment()?.status ?? {};
  assert.equal([readyReplicas, updatedReplicas, availableReplicas, unavailableReplicas], [3, 3, 3, undefined]);
  assert.is(verdict(world.deployment(), 'Available'), 'True MinimumReplicasAvailable');
  assert.is(verdict(world.deployment(), 'Progressing'), 'True NewReplicaSetAvailable');
  const scaled = world.events('ScalingReplicaSet').map((event) => event['message']);
  assert.equal(scaled, [`Scaled up replica set ${set?.metadata.name} from 0 to 3`]);
  await world.end();
});

deployments('a new template is rolled out, an old one can be restored, and old ReplicaSets are limited', async () => {
  const world = await controlled();
  await world.deploy({ revisionHistoryLimit: 2 });
  await world.clock.turn(1);
  for (const version of [2, 3, 4, 5]) {
    await world.setSpec({ template: template(`web:${version}`) });
    await world.clock.turn(5);
    assert.equal(images(world), Array(3).fill(`web:${version}`));
  }
  assert.equal(revisions(world), [3, 4, 5]);
  await world.setSpec({ template: template('web:4') });
  await world.clock.turn(5);
  assert.equal(images(world), Array(3).fill('web:4'));
  assert.equal(revisions(world), [3, 5, 6]);
  assert.is(world.deployment()?.metadata.annotations?.['deployment.kubernetes.io/revision'], '6');
  await world.end();
});

deployments('pods stay when their stored template gets more default fields', async () => {
  const world = await controlled();
  const { metadata, spec } = template('web:1');
  const env = [{ name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }];
  const asked = { ...spec, containers: spec.containers.map((one) => ({ ...one, env })) };
  await world.deploy({ template: { metadata, spec: asked } });
  await world.clock.turn(1);
  const before = world.active().map((pod) => pod.metadata.name);
  await world.setSpec({ template: { metadata, spec: podSpec(asked) } });
  await world.clock.turn(5);
  assert.is(before.length, 3);
  assert.equal(
    world.active().map((pod) => pod.metadata.name),
    before,
  );
  assert.is(world.sets().length, 1);
  await world.end();
});

deployments('a rollout is reported as failed after its deadline and continues when it can', async () => {
  const broken = '[{ match: { image: "*:broken" }, waiting: ImagePullBackOff }]';
  const world = await controlled({ pods: broken });
  await world.deploy({ progressDeadlineSeconds: 60 });
  await world.clock.turn(1);
  await world.setSpec({ template: template('web:broken') });
  await world.clock.turn(30);
  assert.is(verdict(world.deployment(), 'Progressing'), 'True ReplicaSetUpdated');
  assert.is(world.ready().length, 3);
  const [held] = world.active().filter(({ spec }) => spec?.containers?.[0]?.image === 'web:broken');
  const message = `Back-off pulling image "web:broken": ErrImagePull: ${pullFailure}`;
  assert.equal(held?.status?.containerStatuses?.[0]?.state, { waiting: { reason: 'ImagePullBackOff', message } });
  await world.clock.turn(40);
  assert.is(verdict(world.deployment(), 'Progressing'), 'False ProgressDeadlineExceeded');
  await world.setSpec({ template: template('web:2') });
  await world.clock.turn(5);
  assert.is(verdict(world.deployment(), 'Progressing'), 'True NewReplicaSetAvailable');
  await world.end();
});

deployments('Recreate starts no new pod while an old one exists', async () => {
  const world = await controlled();
  await world.deploy({ strategy: { type: 'Recreate' } });
  await world.clock.turn(1);
  const mixed: number[] = [];
  world.store.onChange(() => mixed.push(new Set(images(world)).size));
  await world.setSpec({ template: template('web:2') });
  await world.clock.turn(5);
  assert.equal(images(world), Array(3).fill('web:2'));
  assert.ok(Math.max(...mixed) === 1, 'the two templates never stand side by side');
  await world.end();
});

deployments('a paused Deployment is scaled but not rolled out', async () => {
  const world = await controlled();
  await world.deploy();
  await world.clock.turn(1);
  await world.setSpec({ paused: true, replicas: 5, template: template('web:2') });
  await world.clock.turn(5);
  assert.equal(images(world), Array(5).fill('web:1'));
  assert.is(verdict(world.deployment(), 'Progressing'), 'Unknown DeploymentPaused');
  await world.setSpec({ paused: false });
  await world.clock.turn(5);
  assert.equal(images(world), Array(5).fill('web:2'));
  await world.end();
});

deployments('matching pods are adopted, and pods that no longer match are released and replaced', async () => {
  const world = await controlled();
  await world.deploy({ replicas: 2 });
  await world.clock.turn(1);
  const [pod] = world.active();
  const name = pod?.metadata.name ?? '';
  await world.update('/pods', name, (old) => ({ metadata: { ...old.metadata, labels: { app: 'other' } } }));
  await world.clock.turn(1);
  assert.equal(world.getPod(name)?.metadata.ownerReferences ?? [], []);
  assert.is(world.active().length, 3);
  await world.update('/pods', name, (old) => ({ metadata: { ...old.metadata, labels: pod?.metadata.labels ?? {} } }));
  await world.clock.turn(1);
  assert.is(world.active().length, 2);
  await world.end();
});

deployments('nothing is written for an unchanged Deployment', async () => {
  const world = await controlled();
  await world.deploy();
  await world.clock.turn(5);
  const { writes } = world.store;
  await world.clock.turn(3_600);
  assert.is(world.store.writes, writes);
  await world.end();
});

deployments('SVC-041 pods that end at once are ready at each start, and available in none of them', async () => {
  const world = await controlled({ pods: '[{ match: {}, exitCode: 1 }]' });
  const counts = { ready: 0, available: 0 };
  const judged: string[] = [];
  world.store.onChange(() => {
    const deployment = world.deployment();
    const { readyReplicas = 0, availableReplicas = 0 } = deployment?.status ?? {};
    counts.ready = Math.max(counts.ready, readyReplicas);
    counts.available = Math.max(counts.available, availableReplicas);
    const { availableReplicas: available = 0 } = world.sets()[0]?.status ?? {};
    const is = podsSeen(deployment, world.active() as readonly object[] as readonly StartingPod[], { available });
    if (is !== judged.at(-1)) judged.push(is);
  });
  await world.deploy({ replicas: 1, minReadySeconds: 5 });
  await world.clock.turn(180);
  assert.equal(counts, { ready: 1, available: 0 });
  assert.ok((world.active()[0]?.status?.containerStatuses?.[0]?.restartCount ?? 0) >= 5);
  assert.is(verdict(world.deployment(), 'Available'), 'False MinimumReplicasUnavailable');
  assert.equal(judged, ['none', 'starting', 'failed']);
  await world.end();
});

deployments('a ReplicaSet is requeued when a pod becomes available during its reconcile', async () => {
  const world = await controlled();
  await world.deploy({ replicas: 1, minReadySeconds: 5 });
  await world.clock.turn(3);
  const [pod] = world.ready();
  if (!pod) throw new Error('no pod is ready');
  const available = readySince(pod) + 5_000;
  assert.ok(world.clock.now() < available);
  let passed = 0;
  const clock = { ...world.clock, now: () => available - 1 + passed++ };
  const { store } = world;
  const marks = marksOf(clusterOptions.names);
  const { reconcile } = createReplicaSetController({ store, clock, marks, events: createEvents(store, clock) });
  const [set] = world.sets();
  assert.is(await reconcile(`core-system/${set?.metadata.name}`), available);
  await world.end();
});

deployments('a changed minReadySeconds restarts no pods', async () => {
  const world = await controlled();
  await world.deploy();
  await world.clock.turn(10);
  const before = world.active().map(({ metadata }) => metadata.uid);
  await world.setSpec({ minReadySeconds: 5 });
  await world.clock.turn(10);
  assert.equal(
    world.active().map(({ metadata }) => metadata.uid),
    before,
  );
  assert.equal([revisions(world), world.deployment()?.status?.availableReplicas], [[1], 3]);
  await world.end();
});

const amount = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
);
const rollouts = fc.record({
  replicas: fc.integer({ min: 1, max: 7 }),
  maxSurge: amount,
  maxUnavailable: amount,
  minReadySeconds: fc.integer({ min: 0, max: 3 }),
  slow: fc.integer({ min: 0, max: 4 }),
});

const rolling = ({ maxSurge, maxUnavailable }: { readonly maxSurge: unknown; readonly maxUnavailable: unknown }) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

deployments('a rollout has never too few ready pods and never too many pods', async () => {
  await fc.assert(
    fc.asyncProperty(rollouts, async ({ replicas, minReadySeconds, slow, ...limits }) => {
      const world = await controlled({ pods: `[{ match: {}, hang: true, readyAfterSeconds: ${slow} }]` });
      await world.deploy({ replicas, minReadySeconds, ...rolling(limits) });
      await world.clock.turn(30);
      assert.is(world.ready().length, replicas);
      const { surge, unavailable } = fence(world.deployment() as Deployment);
      const seen: { readonly ready: number; readonly all: number }[] = [];
      world.store.onChange(() => seen.push({ ready: world.ready().length, all: world.active().length }));
      await world.setSpec({ template: template('web:2') });
      await world.clock.turn(120);
      assert.equal(images(world), Array(replicas).fill('web:2'));
      assert.is(verdict(world.deployment(), 'Progressing'), 'True NewReplicaSetAvailable');
      assert.ok(Math.min(...seen.map(({ ready }) => ready)) >= replicas - unavailable, 'enough pods are ready');
      assert.ok(Math.max(...seen.map(({ all }) => all)) <= replicas + surge, 'no more pods than the surge allows');
      await world.end();
    }),
    { numRuns: 25 },
  );
});

deployments('a Deployment reaches its spec after any deletions, scalings and rollouts', async () => {
  const step = fc.oneof(
    fc.record({ is: fc.constant('delete' as const), which: fc.nat({ max: 9 }) }),
    fc.record({ is: fc.constant('scale' as const), replicas: fc.integer({ min: 0, max: 6 }) }),
    fc.record({ is: fc.constant('roll' as const), version: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ is: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 3 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), rollouts, async (steps, { slow, ...limits }) => {
      const world = await controlled({ pods: `[{ match: {}, hang: true, readyAfterSeconds: ${slow} }]` });
      await world.deploy({ replicas: 3, revisionHistoryLimit: 1, ...rolling(limits) });
      let [replicas, version] = [3, 1];
      for (const one of steps) {
        const victim = one.is === 'delete' ? world.active()[one.which] : undefined;
        if (victim) await world.remove('/pods', victim.metadata.name);
        if (one.is === 'scale') await world.setSpec({ replicas: (replicas = one.replicas) });
        if (one.is === 'roll') await world.setSpec({ template: template(`web:${(version = one.version)}`) });
        if (one.is === 'wait') await world.clock.turn(one.seconds);
      }
      await world.clock.turn(200);
      assert.equal(images(world), Array(replicas).fill(`web:${version}`));
      assert.is(world.deployment()?.status?.availableReplicas ?? 0, replicas);
      assert.ok(world.sets().length <= 2, 'one old ReplicaSet is kept');
      await world.end();
    }),
    { numRuns: 25 },
  );
});

deployments('a ReplicaSet reports a failed deletion of pods as FailedDelete, not as FailedCreate', async () => {
  const world = await controlled();
  await world.deploy();
  await world.clock.turn(5);
  const { remove } = world.store;
  Object.assign(world.store, { remove: () => Promise.reject(new Error('the disk is full')) });
  await world.setSpec({ replicas: 1 });
  await world.clock.turn(1);
  const [set] = world.sets();
  assert.is(verdict(set, 'ReplicaFailure'), 'True FailedDelete');
  const told = world.listed('/events').map(({ reason, message }) => `${String(reason)} ${String(message)}`);
  assert.ok(told.includes('FailedDelete Error deleting: the disk is full'), told.join('\n'));
  assert.not(told.some((one) => one.startsWith('FailedCreate')));
  Object.assign(world.store, { remove });
  await world.clock.turn(30);
  assert.equal([world.active().length, verdict(world.sets()[0], 'ReplicaFailure')], [1, '']);
  await world.end();
});

deployments.run();
