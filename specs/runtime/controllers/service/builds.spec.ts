import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { draft, kubelet, templateIn } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { digest } from '../../../support/environment.ts';
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('attempts of a deploy and its build');

const registry = { repository: 'registry.local/apps/hello' };
const git = (commit: string) => ({ git: { repository: 'demo/hello', commit, waitForCI: false } });
const asDraft = {
  spec: { deploy: { enabled: false }, source: git('a'), build: { cache: false, registry } },
  annotations: draft,
};

const newestBuild = ({ environment }: ServiceSession): CoreBuild => {
  const found = environment.cluster.all(builds).at(-1);
  if (!found) throw new Error('no build');
  return found;
};

/** What the controller of builds writes. */
const buildIs = (session: ServiceSession, status: CoreBuild['status']): Promise<void> =>
  session.edit((environment) => {
    Effect.runSync(
      environment.cluster.patchStatus(builds, { name: newestBuild(session).metadata.name }, { ...status }),
    );
  });
const succeeds = (session: ServiceSession, character: string) =>
  buildIs(session, { phase: 'Succeeded', image: registry.repository, imageDigest: digest(character) });
const built = (character: string) => `${registry.repository}@${digest(character)}`;
const attemptsOf = (session: ServiceSession) => session.attempts().map(({ phase, summary }) => `${phase} ${summary}`);

async function deployed(session: ServiceSession): Promise<void> {
  assert.is(await deploy(session), null);
  await succeeds(session, 'a');
  await running(session);
  assert.equal([session.phase(), session.ready()], ['Ready', 'True ServiceReady']);
}

/** Another commit is deployed, and what ran before runs on under the new revision. */
async function deployedAnew(session: ServiceSession): Promise<void> {
  assert.is(await deploy(session, 'r2', { source: git('b') }), null);
  await running(session);
}

spec('SVC-003a the first deploy of a repository is one attempt with its build', () =>
  withSession(asDraft, async (session) => {
    await deployed(session);
    assert.equal(attemptsOf(session), ['Succeeded Provisioned']);
    assert.is(session.app().status?.provision?.buildRef, newestBuild(session).metadata.name);
    assert.ok(session.moves('service').includes('Provisioning imageTakenUp Provisioning'));
  }),
);

spec('SVC-007b an attempt continues while its build runs and ends with the image of that build', () =>
  withSession(asDraft, async (session) => {
    await deployed(session);
    await deployedAnew(session);
    await buildIs(session, { phase: 'Running' });
    await session.pass(60);
    assert.equal(attemptsOf(session), ['Running Provisioning', 'Succeeded Provisioned']);
    assert.equal(
      [session.phase(), session.ready(), session.message()],
      ['Provisioning', 'True ServiceReady', 'Service is running'],
    );
    await succeeds(session, 'b');
    await running(session);
    assert.equal(attemptsOf(session), ['Succeeded Provisioned', 'Succeeded Provisioned']);
    assert.is(templateIn(session.environment).spec.containers[0]?.image, built('b'));
    assert.is(session.phase(), 'Ready');
  }),
);

spec('SVC-007b a failed build leaves the attempt and Ready unchanged until another build succeeds', () =>
  withSession(asDraft, async (session) => {
    await deployed(session);
    await deployedAnew(session);
    await buildIs(session, { phase: 'Failed', failureReason: 'builder Job failed' });
    await session.pass(3_600);
    assert.equal(attemptsOf(session), ['Running Provisioning', 'Succeeded Provisioned']);
    assert.equal([session.ready(), session.message()], ['True ServiceReady', 'Service is running']);
    await succeeds(session, 'b');
    await running(session);
    assert.equal(attemptsOf(session), ['Succeeded Provisioned', 'Succeeded Provisioned']);
  }),
);

spec('SVC-003 a push to a running service starts an attempt with the image of its build', () =>
  withSession(asDraft, async (session) => {
    await deployed(session);
    await succeeds(session, 'c');
    await session.edit((environment) => kubelet(environment, 'starts'));
    assert.equal(attemptsOf(session), ['Running Provisioning', 'Succeeded Provisioned']);
    await running(session);
    assert.equal(attemptsOf(session), ['Succeeded Provisioned', 'Succeeded Provisioned']);
  }),
);

spec.run();
