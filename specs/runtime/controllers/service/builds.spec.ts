import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { draft, kubelet, templateIn } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { digest } from '../../../support/world.ts';
import { deploy, living, type LiveService, running } from './live.ts';

const spec = suite('the attempt of a deploy and its build');

const registry = { repository: 'registry.local/apps/hello' };
const git = (commit: string) => ({ git: { repository: 'demo/hello', commit, waitForCI: false } });
const asDraft = {
  spec: { deploy: { enabled: false }, source: git('a'), build: { cache: false, registry } },
  annotations: draft,
};

const newestBuild = ({ world }: LiveService): CoreBuild => {
  const found = world.cluster.all(builds).at(-1);
  if (!found) throw new Error('no build');
  return found;
};

/** What the controller of builds writes. */
const buildIs = (live: LiveService, status: CoreBuild['status']): Promise<void> =>
  live.edit((world) => {
    Effect.runSync(world.cluster.patchStatus(builds, { name: newestBuild(live).metadata.name }, { ...status }));
  });
const succeeds = (live: LiveService, character: string) =>
  buildIs(live, { phase: 'Succeeded', image: registry.repository, imageDigest: digest(character) });
const built = (character: string) => `${registry.repository}@${digest(character)}`;
const attemptsOf = (live: LiveService) => live.attempts().map(({ phase, summary }) => `${phase} ${summary}`);

async function deployed(live: LiveService): Promise<void> {
  assert.is(await deploy(live), null);
  await succeeds(live, 'a');
  await running(live);
  assert.equal([live.phase(), live.ready()], ['Ready', 'True ServiceReady']);
}

/** Another commit is deployed, and what ran before runs on under the new revision. */
async function deployedAnew(live: LiveService): Promise<void> {
  assert.is(await deploy(live, 'r2', { source: git('b') }), null);
  await running(live);
}

spec('SVC-003a the first deploy of a repository is one attempt, whose build is attached to it', () =>
  living(asDraft, async (live) => {
    await deployed(live);
    assert.equal(attemptsOf(live), ['Succeeded Provisioned']);
    assert.is(live.app().status?.provision?.buildRef, newestBuild(live).metadata.name);
    assert.ok(live.moves('service').includes('Provisioning imageTakenUp Provisioning'));
  }),
);

spec('SVC-007b an attempt goes on while its build runs, and ends with the image of that build', () =>
  living(asDraft, async (live) => {
    await deployed(live);
    await deployedAnew(live);
    await buildIs(live, { phase: 'Running' });
    await live.pass(60);
    assert.equal(attemptsOf(live), ['Running Provisioning', 'Succeeded Provisioned']);
    assert.equal(
      [live.phase(), live.ready(), live.message()],
      ['Provisioning', 'True ServiceReady', 'Service is running'],
    );
    await succeeds(live, 'b');
    await running(live);
    assert.equal(attemptsOf(live), ['Succeeded Provisioned', 'Succeeded Provisioned']);
    assert.is(templateIn(live.world).spec.containers[0]?.image, built('b'));
    assert.is(live.phase(), 'Ready');
  }),
);

spec('SVC-007b a failed build ends no attempt and leaves Ready its text, until another build succeeds', () =>
  living(asDraft, async (live) => {
    await deployed(live);
    await deployedAnew(live);
    await buildIs(live, { phase: 'Failed', failureReason: 'builder Job failed' });
    await live.pass(3_600);
    assert.equal(attemptsOf(live), ['Running Provisioning', 'Succeeded Provisioned']);
    assert.equal([live.ready(), live.message()], ['True ServiceReady', 'Service is running']);
    await succeeds(live, 'b');
    await running(live);
    assert.equal(attemptsOf(live), ['Succeeded Provisioned', 'Succeeded Provisioned']);
  }),
);

spec('SVC-003 a push to a service that runs begins an attempt with the image of its build', () =>
  living(asDraft, async (live) => {
    await deployed(live);
    await succeeds(live, 'c');
    await live.edit((world) => kubelet(world, 'starts'));
    assert.equal(attemptsOf(live), ['Running Provisioning', 'Succeeded Provisioned']);
    await running(live);
    assert.equal(attemptsOf(live), ['Succeeded Provisioned', 'Succeeded Provisioned']);
  }),
);

spec.run();
