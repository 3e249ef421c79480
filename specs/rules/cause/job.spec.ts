import * as assert from 'uvu/assert';
import { byJob } from '../../../rules/cause/job.ts';
import { external } from '../../../rules/words.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import { suite } from '../../support/suite.ts';
import { endedPod, input, jobOf, lineOf, unpulledPod, unscheduledPod } from './told.ts';

const spec = suite('the causes of a Job');

const rule = byJob('ChartFailed', 'chart');
const found = (...pods: readonly StartingPod[]) =>
  rule.find(undefined, { ...input('CoreDatabase', { job: () => jobOf(...pods) }), message: external('') });

spec('a failed pod tells its exit code and its last line, without secrets', () => {
  const [cause] = found(endedPod(1, 'connecting\nERROR: login with hunter22 failed\nbye'));
  assert.is(cause && lineOf(cause), 'failure ChartFailed on Job the-job: the-job failed: exit code 1');
  assert.equal([cause?.exitCode, cause?.logLine], [1, 'ERROR: login with *** failed']);
});

spec('of several failed pods the one that ended last counts', () => {
  assert.is(found(endedPod(1, 'old', 9), endedPod(7, 'new', 2))[0]?.logLine, 'new');
});

spec('a pod that ended well is no cause, nor is a Job without pods', () => {
  assert.equal(found(endedPod(0)), []);
  assert.equal(found(), []);
  assert.equal(rule.find(undefined, { ...input('CoreDatabase'), message: external('') }), []);
});

spec('the newest pod that does not start precedes an earlier failure', () => {
  assert.equal(found(endedPod(1), unpulledPod).map(lineOf), [
    'failure ImagePullFailed on Job the-job: image "nowhere.test/x:1" cannot be pulled: ImagePullBackOff',
  ]);
  assert.equal(found(unscheduledPod('0/3 nodes are available')).map(lineOf), [
    'failure Unschedulable on Job the-job: no node takes the copy: 0/3 nodes are available',
  ]);
});

spec('a pod that was replaced by one that starts is not told as held', () => {
  const held = { ...unpulledPod, metadata: { ...unpulledPod.metadata, creationTimestamp: '2026-06-01T00:00:00Z' } };
  assert.equal(found(held, endedPod(0)), []);
});

spec.run();
