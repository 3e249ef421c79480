import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type CoreApp, coreApp } from '../../../../crds/coreApp.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import type { GitAnswer, PullRequestAtHost } from '../../../../rules/gitAnswer.ts';
import type { HostEvent } from '../../../../rules/pullRequestEnvironment/facts.ts';
import { missedEvent } from '../../../../rules/pullRequestEnvironment/missed.ts';
import { entryLifecycle } from '../../../../runtime/step/entries.ts';
import { apps, connections, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { inSystem, projectName, putCluster } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { liveProject } from './live.ts';

const spec = suite('missed events of pull requests');
type Live = Awaited<ReturnType<typeof liveProject>>;

const head = 'b'.repeat(40);
const openedEvent = (number: number): HostEvent => ({
  is: 'hostEvent',
  event: 'opened',
  installation: 1,
  number,
  repository: 'demo/shop',
  branch: 'feature',
  head,
  targetBranch: 'main',
  headRepository: 'demo/shop',
  draft: false,
  url: '',
});

/** A service that builds the target branch, and the connection that its project is linked by. */
function prepare(world: World): void {
  putCluster(world);
  world.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('shop-git'),
    spec: { project: projectName, secretRef: { name: 'shop-git-token' }, installationID: 1 },
  });
  world.cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem('shop-git-token'),
    data: { token: Buffer.from('ghs_1').toString('base64') },
  });
  world.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem('web'),
    spec: {
      project: projectName,
      environment: 'production',
      source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } },
      deploy: { enabled: true },
    },
  });
}

const entries = ({ project }: Live) => project().status?.pullRequests ?? [];
const questions = ({ world }: Live) => world.git.asked.filter((one) => one.startsWith('pull request '));
const copies = ({ world }: Live, environment = 'pr-7'): readonly CoreApp[] =>
  world.cluster.all(apps).filter((one) => one.spec.environment === environment);

/** A project with these pull requests, whose environments are there. */
async function opened(...numbers: readonly number[]): Promise<Live> {
  const live = await liveProject(
    { gitConnectionRef: { name: 'shop-git' }, prEnvironments: { enabled: true, maxOpen: 5 } },
    prepare,
  );
  for (const number of numbers) {
    live.world.git.pullRequests.set(number, { is: 'found', value: { state: 'open', head } });
    await tell(live, openedEvent(number));
  }
  await live.pass(60);
  assert.equal(
    entries(live).map(({ openedAt }) => openedAt !== undefined),
    numbers.map(() => true),
  );
  return live;
}

async function tell({ operator, time }: Live, asked: HostEvent): Promise<void> {
  const controller = operator.controllers.find(({ resource }) => resource.kind === projects.kind);
  const of = controller?.entries?.find(({ name }) => name === 'pullRequestEnvironment');
  assert.ok(controller && of);
  const lifecycle = entryLifecycle(of, `pr-${asked.number}`);
  const decided = operator.decide(controller, lifecycle, projectName, { asked, by: 'webhook' });
  await time.wait(Effect.runPromise(decided));
}

const answers = (live: Live, answer: GitAnswer<PullRequestAtHost>, number = 7) =>
  live.world.git.pullRequests.set(number, answer);

spec('GIT-038 a close whose event never arrived is found within ten minutes, and nothing of it stays', async () => {
  const live = await opened(7, 8);
  answers(live, { is: 'found', value: { state: 'closed', head } });
  await live.pass(9 * 60 - 60);
  assert.equal([questions(live), entries(live).length], [[], 2]);
  await live.pass(3 * 60);
  assert.equal(
    entries(live).map(({ environment }) => environment),
    ['pr-8'],
  );
  assert.equal([copies(live).length, copies(live, 'pr-8').length], [0, 1]);
  assert.equal(live.project().spec.environments, ['production', 'pr-8']);
  const closing = live.moves('pullRequestEnvironment').slice(-2);
  assert.equal(closing, ['Open closed Closing', 'Closing removed (deleted)']);
  await live.end();
});

spec(
  'GIT-037 a push whose event never arrived is entered once, and an open one costs a question each time',
  async () => {
    const live = await opened(7);
    const next = 'c'.repeat(40);
    answers(live, { is: 'found', value: { state: 'open', head: next } });
    await live.pass(11 * 60);
    assert.is(entries(live)[0]?.head, next);
    const { resourceVersion } = live.project().metadata;
    const before = questions(live).length;
    await live.pass(30 * 60);
    assert.is(live.project().metadata.resourceVersion, resourceVersion);
    assert.is(questions(live).length - before, 3);
    await live.end();
  },
);

spec(
  'GIT-038 a copy that was created after its environment had gone goes, and what people made there stays',
  async () => {
    const live = await opened(7, 8);
    const [copy] = copies(live);
    assert.ok(copy);
    answers(live, { is: 'found', value: { state: 'closed', head } });
    await live.pass(12 * 60);
    assert.is(copies(live).length, 0);
    const { name, namespace = '', annotations } = copy.metadata;
    live.world.cluster.put(apps, { ...copy, metadata: { name, namespace, ...(annotations && { annotations }) } });
    live.world.cluster.put(apps, { ...copy, metadata: { name: 'by-hand', namespace } });
    await live.pass(60);
    assert.equal(
      copies(live).map(({ metadata }) => metadata.name),
      ['by-hand'],
    );
    assert.is(copies(live, 'pr-8').length, 1);
    await live.end();
  },
);

spec('GIT-038 what the Git host does not show, refuses or does not say closes nothing', async () => {
  const troubles: readonly GitAnswer<PullRequestAtHost>[] = [
    { is: 'refused', code: 404, status: '404 Not Found' },
    { is: 'refused', code: 401, status: '401 Unauthorized' },
    { is: 'silent', why: 'timeout' },
    { is: 'limited', until: 0 },
    { is: 'found', value: { state: 'open', head: '' } },
    { is: 'found', value: { state: 'open', head } },
  ];
  const entry = { number: 7, repository: 'demo/shop', environment: 'pr-7', branch: 'feature', head };
  assert.equal(
    troubles.map((answer) => missedEvent(entry, answer, 1)),
    troubles.map(() => null),
  );
  const live = await opened(7);
  answers(live, { is: 'refused', code: 404, status: '404 Not Found' });
  await live.pass(3_600);
  assert.equal([entries(live).length, copies(live).length], [1, 1]);
  await live.end();
});

spec('GIT-038 a limit of the Git host is waited out', async () => {
  const live = await opened(7);
  answers(live, { is: 'limited', until: live.time.wall() + 3_600_000 });
  await live.pass(59 * 60);
  const asked = questions(live).length;
  assert.is(asked, 1);
  answers(live, { is: 'found', value: { state: 'closed', head } });
  await live.pass(120);
  assert.equal(entries(live), []);
  await live.end();
});

spec.run();
