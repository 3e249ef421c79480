import * as assert from 'uvu/assert';
import { jobOutcome } from '../../rules/jobOutcome.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the outcome of a Job');

const jobWith = (...conditions: readonly { type: string; status: string; reason?: string }[]) => ({
  status: { conditions },
});

spec('a Job without a condition that holds is running', () => {
  assert.equal(jobOutcome({}), { is: 'running' });
  assert.equal(jobOutcome(jobWith({ type: 'Complete', status: 'False' }, { type: 'Suspended', status: 'True' })), {
    is: 'running',
  });
  assert.equal(jobOutcome(jobWith({ type: 'Failed', status: 'Unknown', reason: 'DeadlineExceeded' })), {
    is: 'running',
  });
});

spec('a complete Job has succeeded', () => {
  assert.equal(jobOutcome(jobWith({ type: 'Complete', status: 'True' })), { is: 'succeeded' });
});

spec('a failed Job carries the reason of its failure', () => {
  assert.equal(jobOutcome(jobWith({ type: 'Failed', status: 'True', reason: 'PodFailurePolicy' })), {
    is: 'failed',
    reason: 'PodFailurePolicy',
  });
  assert.equal(jobOutcome(jobWith({ type: 'Failed', status: 'True' })), { is: 'failed', reason: '' });
});

spec.run();
