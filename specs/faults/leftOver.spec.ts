import * as assert from 'uvu/assert';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { readPlan } from './plan/plan.ts';
import { buildSubject } from './subjects/build.ts';
import { verify } from './verify.ts';

const leftOver = suite('faults: a Job older than its build');

const wrongIn = async (text: string): Promise<readonly string[]> => {
  const plan = readPlan(text, [buildSubject]);
  if (typeof plan === 'string') throw new Error(plan);
  return (await verify(plan)).wrong;
};

for (const path of ['a build whose Job survived an earlier run', 'a build whose Job survived an earlier one'])
  for (const at of [1, 2])
    for (const does of ['the_build_is_deleted', 'the_build_is_created_anew'])
      leftOver(`${path}: nothing is left after ${does} behind call ${at}`, async () => {
        assert.equal(await wrongIn(`build / ${path} / handAfter does=${does} at=${at}`), []);
      });

const job = { metadata: { name: 'shop-build-1-builder', namespace: 'core-system' }, spec: {} };

leftOver('a Job of a deleted build may remain only when the Job is older than the deletion', () => {
  const environment = makeTestEnvironment();
  environment.cluster.put(jobs, job);
  const oracle = buildSubject.oracle(environment, true, false);
  assert.equal(oracle.atRest(), []);
  environment.cluster.drop(jobs, job.metadata.name);
  environment.cluster.put(jobs, job);
  assert.equal(oracle.atRest(), ['a Job of another run is left']);
});

leftOver('a Job of another run is reported while its build exists', () => {
  const environment = makeTestEnvironment();
  environment.cluster.put(jobs, job);
  const path = buildSubject.paths.find(({ name }) => name === 'a pinned commit is built');
  path?.given(environment);
  assert.equal(buildSubject.oracle(environment, true, false).atRest(), ['a Job of another run is left']);
});

leftOver.run();
