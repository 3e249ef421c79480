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
import type { TestEnvironment } from '../../../support/environment.ts';
import { projectSession } from './session.ts';

const spec = suite('missed events of pull requests');
type Session = Awaited<ReturnType<typeof projectSession>>;

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
function prepare(fakes: TestEnvironment): void {
  putCluster(fakes);
  fakes.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('shop-git'),
    spec: { project: projectName, secretRef: { name: 'shop-git-token' }, installationID: 1 },
  });
  fakes.cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem('shop-git-token'),
    data: { token: Buffer.from('ghs_1').toString('base64') },
  });
  fakes.cluster.put(apps, {
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

const entries = ({ project }: Session) => project().status?.pullRequests ?? [];
const questions = ({ environment: fakes }: Session) => fakes.git.asked.filter((one) => one.startsWith('pull request '));
const copies = ({ environment: fakes }: Session, environment = 'pr-7'): readonly CoreApp[] =>
  fakes.cluster.all(apps).filter((one) => one.spec.environment === environment);

/** A project with these pull requests, whose environments are there. */
async function opened(...numbers: readonly number[]): Promise<Session> {
  const session = await projectSession(
    { gitConnectionRef: { name: 'shop-git' }, prEnvironments: { enabled: true, maxOpen: 5 } },
    prepare,
  );
  for (const number of numbers) {
    session.environment.git.pullRequests.set(number, { is: 'found', value: { state: 'open', head } });
    await tell(session, openedEvent(number));
  }
  await session.pass(60);
  assert.equal(
    entries(session).map(({ openedAt }) => openedAt !== undefined),
    numbers.map(() => true),
  );
  return session;
}

async function tell({ operator, time }: Session, asked: HostEvent): Promise<void> {
  const controller = operator.controllers.find(({ resource }) => resource.kind === projects.kind);
  const of = controller?.entries?.find(({ name }) => name === 'pullRequestEnvironment');
  assert.ok(controller && of);
  const lifecycle = entryLifecycle(of, `pr-${asked.number}`);
  const decided = operator.decide(controller, lifecycle, projectName, { asked, by: 'webhook' });
  await time.wait(Effect.runPromise(decided));
}

const answers = (session: Session, answer: GitAnswer<PullRequestAtHost>, number = 7) =>
  session.environment.git.pullRequests.set(number, answer);

spec(
  'GIT-038 a closed pull request is found within ten minutes when its event was lost, and its environment is deleted',
  async () => {
    const session = await opened(7, 8);
    answers(session, { is: 'found', value: { state: 'closed', head } });
    await session.pass(9 * 60 - 60);
    assert.equal([questions(session), entries(session).length], [[], 2]);
    await session.pass(3 * 60);
    assert.equal(
      entries(session).map(({ environment }) => environment),
      ['pr-8'],
    );
    assert.equal([copies(session).length, copies(session, 'pr-8').length], [0, 1]);
    assert.equal(session.project().spec.environments, ['production', 'pr-8']);
    const closing = session.moves('pullRequestEnvironment').slice(-2);
    assert.equal(closing, ['Open closed Closing', 'Closing removed (deleted)']);
    await session.end();
  },
);

spec('GIT-037 a push without an event is recorded once, and checking an open pull request writes nothing', async () => {
  const session = await opened(7);
  const next = 'c'.repeat(40);
  answers(session, { is: 'found', value: { state: 'open', head: next } });
  await session.pass(11 * 60);
  assert.is(entries(session)[0]?.head, next);
  const { resourceVersion } = session.project().metadata;
  const before = questions(session).length;
  await session.pass(30 * 60);
  assert.is(session.project().metadata.resourceVersion, resourceVersion);
  assert.is(questions(session).length - before, 3);
  await session.end();
});

spec(
  'GIT-038 a copy created after the deletion of its environment is deleted, and objects of users stay there',
  async () => {
    const session = await opened(7, 8);
    const [copy] = copies(session);
    assert.ok(copy);
    answers(session, { is: 'found', value: { state: 'closed', head } });
    await session.pass(12 * 60);
    assert.is(copies(session).length, 0);
    const { name, namespace = '', annotations } = copy.metadata;
    session.environment.cluster.put(apps, {
      ...copy,
      metadata: { name, namespace, ...(annotations && { annotations }) },
    });
    session.environment.cluster.put(apps, { ...copy, metadata: { name: 'by-hand', namespace } });
    await session.pass(60);
    assert.equal(
      copies(session).map(({ metadata }) => metadata.name),
      ['by-hand'],
    );
    assert.is(copies(session, 'pr-8').length, 1);
    await session.end();
  },
);

spec('GIT-038 a pull request stays open when the Git host refuses, is silent or names no head', async () => {
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
  const session = await opened(7);
  answers(session, { is: 'refused', code: 404, status: '404 Not Found' });
  await session.pass(3_600);
  assert.equal([entries(session).length, copies(session).length], [1, 1]);
  await session.end();
});

spec('GIT-038 a rate limit of the Git host is waited for', async () => {
  const session = await opened(7);
  answers(session, { is: 'limited', until: session.time.wall() + 3_600_000 });
  await session.pass(59 * 60);
  const asked = questions(session).length;
  assert.is(asked, 1);
  answers(session, { is: 'found', value: { state: 'closed', head } });
  await session.pass(120);
  assert.equal(entries(session), []);
  await session.end();
});

spec.run();
