import * as assert from 'uvu/assert';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { dumpedMark, lacksDump } from '../../../../runtime/local/addons/dumps.ts';
import { times } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { condition, firstStatus, simulated, stateOf } from './simulated.ts';

const jobs = suite('the Job controller');
const digest = /^sha256:[0-9a-f]{64}$/;
const failing = (count: number) => ({ pods: `[{ match: { container: builder }, fails: ${count} }]` });

jobs('a Job creates one pod of its template', async () => {
  const world = await simulated();
  const { metadata } = await world.job('build');
  await world.clock.turn(0);
  const [pod, ...others] = world.pods();
  assert.is(others.length, 0);
  assert.match(pod?.metadata.name ?? '', /^build-[a-z0-9]{5}$/);
  assert.equal(pod?.metadata.labels, {
    app: 'hello',
    'batch.kubernetes.io/controller-uid': metadata.uid,
    'batch.kubernetes.io/job-name': 'build',
    'controller-uid': metadata.uid,
    'job-name': 'build',
  });
  assert.is(pod?.metadata.annotations?.['core.platform/run'], '7');
  const [owner] = pod?.metadata.ownerReferences ?? [];
  assert.is(owner?.uid, metadata.uid);
  assert.is(owner?.controller, true);
  assert.is(pod?.status?.phase, 'Running');
  assert.equal(world.getJob('build')?.status, { startTime: '2030-01-01T00:00:00Z', active: 1, ready: 1 });
  await world.stop();
});

jobs('a Job with an awaited dump ends when its pod succeeded and the dump exists', async () => {
  const world = await simulated({}, 'simulated', lacksDump);
  const { metadata } = await world.job('build');
  const at = { bucket: 'batch/jobs', namespace: metadata.namespace ?? '', name: 'build' };
  const marked = (part: object) =>
    world.store.update(at, (old) => ({ ...old, metadata: { ...old.metadata, ...part } }));
  await marked({ labels: { [purposeLabel]: 'final' } });
  await world.clock.turn(2);
  assert.is(condition(world.getJob('build'), 'SuccessCriteriaMet')?.status, 'True');
  assert.is(condition(world.getJob('build'), 'Complete'), undefined);
  await marked({ annotations: { [dumpedMark]: '20300101T000002Z' } });
  await world.clock.turn(0);
  assert.is(condition(world.getJob('build'), 'Complete')?.status, 'True');
  await world.stop();
});

jobs('a Job is complete when its pod succeeds, and a builder leaves a digest', async () => {
  const world = await simulated();
  await world.job('build');
  await world.clock.turn(2);
  const job = world.getJob('build');
  assert.is(job?.status?.succeeded, 1);
  assert.is(job?.status?.active, undefined);
  assert.is(job?.status?.ready, 0);
  assert.is(condition(job, 'Complete')?.status, 'True');
  assert.is(job?.status?.completionTime, '2030-01-01T00:00:01Z');
  const state = firstStatus(world.pods()[0])?.state;
  assert.ok(state && 'terminated' in state);
  assert.match(state.terminated.message ?? '', digest);
  for (const reason of ['SuccessfulCreate', 'Scheduled', 'Created', 'Started', 'Completed'])
    assert.is(world.events(reason).length, 1, reason);
  await world.stop();
});

jobs('failed pods are retried after 1, then 2 seconds, until backoffLimit is exceeded', async () => {
  const world = await simulated({ pods: '[{ match: { container: builder }, exitCode: 3 }]' });
  await world.job('build');
  const seen: number[] = [];
  for (let second = 0; second <= 10; second += 1) {
    seen.push(world.pods().length);
    await world.clock.turn(1);
  }
  // Each pod runs for a second: 0 to 1, 2 to 3, 5 to 6.
  assert.equal(seen.slice(1), [1, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
  const job = world.getJob('build');
  assert.is(job?.status?.failed, 3);
  assert.is(condition(job, 'Failed')?.reason, 'BackoffLimitExceeded');
  assert.is(job?.status?.completionTime, undefined);
  assert.is(world.events('BackoffLimitExceeded').length, 1);
  await world.stop();
});

jobs('`fails: 2` fails the first two pods of a Job, and the third succeeds with a separate digest', async () => {
  const world = await simulated(failing(2));
  await world.job('build');
  await world.clock.turn(10);
  const job = world.getJob('build');
  assert.is(job?.status?.failed, 2);
  assert.is(job?.status?.succeeded, 1);
  assert.is(condition(job, 'Complete')?.status, 'True');
  await world.stop();
});

jobs('the back-off counts from the very end of the failed pod', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 1.6, exitCode: 1 }]' });
  await world.job('build');
  await world.clock.turn(2.4);
  assert.is(world.pods().length, 1);
  await world.clock.turn(0.3);
  assert.is(world.pods().length, 2);
  await world.stop();
});

jobs('backoffSeconds sets the base of the back-off', async () => {
  const world = await simulated({ ...failing(1), backoffSeconds: '10' });
  await world.job('build');
  await world.clock.turn(10);
  assert.is(world.pods().length, 1);
  await world.clock.turn(2);
  assert.is(world.pods().length, 2);
  await world.stop();
});

jobs('activeDeadlineSeconds stops a Job that runs too long and removes its pod', async () => {
  const world = await simulated({ pods: '[{ match: {}, hang: true }]' });
  await world.job('build', { activeDeadlineSeconds: 30 });
  await world.clock.turn(29);
  assert.is(stateOf(world.pods()[0]), 'running');
  await world.clock.turn(2);
  assert.is(world.pods().length, 0);
  assert.is(condition(world.getJob('build'), 'Failed')?.reason, 'DeadlineExceeded');
  assert.is(world.getJob('build')?.status?.failed, 1);
  await world.stop();
});

jobs('a suspended Job has no pods, and a resumed one starts over', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 5 }]' });
  await world.job('build', { suspend: true });
  await world.clock.turn(5);
  assert.is(world.pods().length, 0);
  assert.is(condition(world.getJob('build'), 'Suspended')?.status, 'True');
  assert.is(world.getJob('build')?.status?.startTime, undefined);

  await world.setJobSpec('build', { suspend: false });
  await world.clock.turn(1);
  assert.is(world.pods().length, 1);
  assert.is(condition(world.getJob('build'), 'Suspended')?.status, 'False');
  assert.is(world.getJob('build')?.status?.startTime, '2030-01-01T00:00:05Z');

  await world.setJobSpec('build', { suspend: true });
  await world.clock.turn(1);
  assert.is(world.pods().length, 0);
  assert.is(world.getJob('build')?.status?.failed, undefined);

  await world.setJobSpec('build', { suspend: false });
  await world.clock.turn(10);
  assert.is(condition(world.getJob('build'), 'Complete')?.status, 'True');
  await world.stop();
});

jobs('a pod deleted while it runs counts as failed and is replaced', async () => {
  const world = await simulated({ pods: '[{ match: {}, afterSeconds: 5 }]' });
  await world.job('build');
  await world.clock.turn(1);
  await world.remove('/pods', world.pods()[0]?.metadata.name ?? '');
  await world.clock.turn(10);
  assert.is(world.getJob('build')?.status?.failed, 1);
  assert.is(world.getJob('build')?.status?.succeeded, 1);
  await world.stop();
});

jobs('a failure that was counted stays counted when its pod is deleted', async () => {
  const world = await simulated({ pods: '[{ match: {}, exitCode: 1 }]' });
  await world.job('build', { backoffLimit: 1 });
  await world.clock.turn(1.5);
  await world.remove('/pods', world.pods()[0]?.metadata.name ?? '');
  await world.clock.turn(10);
  assert.is(world.getJob('build')?.status?.failed, 2);
  assert.is(condition(world.getJob('build'), 'Failed')?.status, 'True');
  await world.stop();
});

jobs('a pod created while its Job is deleted does not remain', async () => {
  const world = await simulated();
  await world.job('build');
  let deleted = false;
  world.store.gate = () => {
    if (deleted) return;
    deleted = true;
    void world.remove('batch/jobs', 'build');
  };
  await world.clock.turn(5);
  assert.ok(deleted);
  assert.is(world.getJob('build'), undefined);
  assert.is(world.pods().length, 0);
  await world.stop();
});

jobs('BLD-087 a finished Job is removed ttlSecondsAfterFinished after its end', async () => {
  const world = await simulated();
  await world.job('build', { ttlSecondsAfterFinished: 3600 });
  await world.clock.turn(3600);
  assert.ok(world.getJob('build'));
  await world.clock.turn(2);
  assert.is(world.getJob('build'), undefined);
  await world.stop();
});

jobs('parallelism and completions are honoured', async () => {
  const world = await simulated();
  await world.job('many', { parallelism: 2, completions: 3 });
  await world.clock.turn(0.5);
  assert.is(world.pods().length, 2);
  await world.clock.turn(5);
  assert.is(world.pods().length, 3);
  assert.is(world.getJob('many')?.status?.succeeded, 3);
  await world.stop();
});

jobs('a container is restarted in its pod when restartPolicy is OnFailure', async () => {
  const world = await simulated(failing(1));
  await world.job('build', {}, { restartPolicy: 'OnFailure' });
  await world.clock.turn(10);
  assert.is(world.pods().length, 1);
  assert.is(firstStatus(world.pods()[0])?.restartCount, 1);
  assert.is(condition(world.getJob('build'), 'Complete')?.status, 'True');
  assert.is(world.events('BackOff').length, 1);
  await world.stop();
});

jobs('a Job fails after too many restarts with restartPolicy OnFailure', async () => {
  const world = await simulated({ pods: '[{ match: {}, exitCode: 1 }]' });
  await world.job('build', {}, { restartPolicy: 'OnFailure' });
  await world.clock.turn(30);
  assert.is(condition(world.getJob('build'), 'Failed')?.reason, 'BackoffLimitExceeded');
  assert.is(world.pods().length, 0);
  await world.stop();
});

jobs('ten times as many Jobs need no more processor time each', async () => {
  const run = async (count: number) => {
    const world = await simulated({ nodes: '[{ name: big, pods: 10000 }]' });
    const begin = process.cpuUsage();
    for (let index = 0; index < count; index += 1) await world.job(`build-${index}`);
    await world.clock.turn(3);
    const succeeded = world.store.list('batch/jobs').filter((job) => condition(job, 'Complete')).length;
    assert.is(succeeded, count);
    await world.stop();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000 / count;
  };
  const count = times(500, 100);
  const few = await run(count);
  const many = await run(10 * count);
  assert.ok(many < 3 * few, `${many.toFixed(2)} ms each against ${few.toFixed(2)} ms`);
});

jobs.run();
