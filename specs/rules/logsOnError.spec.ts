import * as assert from 'uvu/assert';
import { type Templated, withLogsOnError } from '../../rules/owned/logsOnError.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the termination message of a workload that stands');

const deployment = (image: string, more: object = {}): Templated => ({
  kind: 'Deployment',
  metadata: { name: 'store' },
  spec: { template: { spec: { containers: [{ name: 'store', image, ...more } as { readonly name: string }] } } },
});
const policy = { terminationMessagePolicy: 'FallbackToLogsOnError' };
const written = (image: string, live?: Templated) => withLogsOnError(deployment(image), live);

spec('a new workload gets the end of its log as termination message', () => {
  assert.equal(written('a:1'), deployment('a:1', policy));
});

spec('a workload of an earlier version keeps its pods: it gets the field with its next rollout', () => {
  const live = deployment('a:1', { terminationMessagePolicy: 'File', imagePullPolicy: 'IfNotPresent' });
  assert.equal(written('a:1', live), deployment('a:1'));
  assert.equal(written('a:2', live), deployment('a:2', policy));
});

spec('a workload that has the field keeps it', () => {
  assert.equal(written('a:1', deployment('a:1', policy)), deployment('a:1', policy));
});

spec.run();
