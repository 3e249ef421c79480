import * as assert from 'uvu/assert';
import { textAt } from '../../../../runtime/embedded/api/json.ts';
import { indexText, indexesIn } from '../../../../runtime/embedded/nodes/jobIndexes.ts';
import { suite } from '../../../support/suite.ts';
import { condition, simulated } from './simulated.ts';

const jobs = suite('Jobs with indexes and policies');
const indexKey = 'batch.kubernetes.io/job-completion-index';
const indexed = (completions: number, more: object = {}) => ({
  completionMode: 'Indexed',
  completions,
  parallelism: completions,
  ...more,
});
const worker = { containers: [{ name: 'main', image: 'worker:1' }] };
const fails = (index: number) => `[{ match: { labels: { ${indexKey}: "${index}" } }, exitCode: 9 }]`;

jobs('each index of a Job gets a pod labelled with the index', async () => {
  const world = await simulated();
  await world.job('shards', indexed(3), worker);
  await world.clock.turn(0);
  const pods = world.pods();
  assert.equal(
    pods.map(({ metadata }) => metadata.name.replace(/-[a-z0-9]{5}$/, '')),
    ['shards-0', 'shards-1', 'shards-2'],
  );
  assert.equal(
    pods.map(({ metadata: { labels, annotations } }) => [labels?.[indexKey], annotations?.[indexKey]]),
    ['0', '1', '2'].map((index) => [index, index]),
  );
  assert.is(textAt(pods[0], 'spec', 'hostname'), 'shards-0');
  assert.is(textAt(pods[0], 'spec', 'containers', 0, 'env', 0, 'name'), 'JOB_COMPLETION_INDEX');
  await world.clock.turn(2);
  const { status } = world.getJob('shards') ?? {};
  assert.is(status?.completedIndexes, '0-2');
  assert.is(status?.succeeded, 3);
  assert.is(status?.failedIndexes, undefined);
  await world.stop();
});

jobs('a failed index is retried before indexes that have not run', async () => {
  const world = await simulated({ pods: '[{ match: {}, fails: 1 }]' });
  await world.job('shards', indexed(2, { parallelism: 1 }), worker);
  await world.clock.turn(12);
  assert.is(world.getJob('shards')?.status?.completedIndexes, '0,1');
  assert.equal(
    world.pods().map(({ metadata }) => metadata.annotations?.[indexKey]),
    ['0', '0', '1'],
  );
  await world.stop();
});

jobs('an index over its own limit fails while the others continue', async () => {
  const world = await simulated({ pods: fails(1) });
  await world.job('shards', indexed(3, { backoffLimitPerIndex: 1, backoffLimit: 100 }), worker);
  await world.clock.turn(12);
  const job = world.getJob('shards');
  assert.is(job?.status?.completedIndexes, '0,2');
  assert.is(job?.status?.failedIndexes, '1');
  assert.is(job?.status?.failed, 2);
  assert.is(condition(job, 'Failed')?.reason, 'FailedIndexes');
  await world.stop();
});

jobs('a Job ends when more indexes failed than allowed', async () => {
  const world = await simulated({ pods: fails(0) });
  await world.job('shards', indexed(2, { backoffLimitPerIndex: 0, maxFailedIndexes: 0, parallelism: 1 }), worker);
  await world.clock.turn(3);
  assert.is(condition(world.getJob('shards'), 'Failed')?.reason, 'MaxFailedIndexesExceeded');
  await world.stop();
});

jobs('a failure policy ends a Job, or lets a failure not count', async () => {
  const policy = (action: string) => ({
    backoffLimit: 0,
    podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [9] } }] },
  });
  const world = await simulated({ pods: '[{ match: {}, exitCode: 9 }]' });
  await world.job('ends', policy('FailJob'), worker);
  await world.job('goes-on', policy('Ignore'), worker);
  await world.clock.turn(4);
  const failed = condition(world.getJob('ends'), 'Failed');
  assert.is(failed?.reason, 'PodFailurePolicy');
  assert.match(
    failed?.message ?? '',
    /^Container main for pod core-system\/ends-\w{5} failed with exit code 9 matching FailJob rule at index 0$/,
  );
  assert.is(world.getJob('goes-on')?.status?.failed, undefined);
  assert.is(condition(world.getJob('goes-on'), 'Failed'), undefined);
  await world.stop();
});

jobs('a success policy ends a Job before all its indexes are done', async () => {
  const world = await simulated({ pods: `[{ match: { labels: { ${indexKey}: "1" } }, hang: true }]` });
  await world.job('early', indexed(2, { successPolicy: { rules: [{ succeededIndexes: '0' }] } }), worker);
  await world.clock.turn(3);
  const job = world.getJob('early');
  assert.is(condition(job, 'Complete')?.reason, 'SuccessPolicy');
  assert.is(condition(job, 'Complete')?.message, 'Matched rules at index 0');
  assert.is(job?.status?.succeeded, 1);
  assert.is(world.pods().length, 1);
  await world.stop();
});

jobs('indexes are written and parsed as ranges', () => {
  assert.is(indexText(new Set([5, 0, 1, 3, 4, 9])), '0,1,3-5,9');
  assert.equal([...indexesIn('0,1,3-5,9', 5)], [0, 1, 3, 4]);
  assert.equal([...indexesIn(undefined, 5)], []);
});

jobs.run();
