import { Effect, Schedule } from 'effect';
import { type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { coreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import type { CoreProject, PullRequestEntry } from '../../../crds/coreProject.ts';
import { typeMeta } from '../../../crds/kind.ts';
import type { HostEvent } from '../../../rules/pullRequestEnvironment/facts.ts';
import { pullRequestState } from '../../../rules/pullRequestEnvironment/state.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { entryLifecycle } from '../../../runtime/step/entries.ts';
import { apps, connections, everyKind, projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { inSystem, projectIn, projectName, putCluster, putProject } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Act, Beside, BesideGiven, FaultSubject, Oracle, Path } from './subject.ts';

const environment = 'pr-7';

const told = (event: HostEvent['event']): HostEvent => ({
  is: 'hostEvent',
  event,
  installation: 1,
  number: 7,
  repository: 'demo/shop',
  branch: 'feature',
  head: 'b'.repeat(40),
  targetBranch: 'main',
  headRepository: 'demo/shop',
  draft: false,
  url: '',
});

const entryIn = (fakes: TestEnvironment): PullRequestEntry | undefined => projectIn(fakes)?.status?.pullRequests?.[0];
const stateIn = (fakes: TestEnvironment): string => {
  const entry = entryIn(fakes);
  return entry ? pullRequestState(entry) : '(none)';
};
const copiesIn = ({ cluster }: TestEnvironment): readonly CoreApp[] =>
  cluster.all(apps).filter(({ spec }) => spec.environment === environment);

/** A linked project, and a service with a secret variable that builds the target branch. */
function putAll(fakes: TestEnvironment): void {
  putCluster(fakes);
  fakes.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('shop-git'),
    spec: { project: projectName, secretRef: { name: 'shop-git-token' }, installationID: 1 },
  });
  fakes.cluster.put(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: inSystem('web-variables'),
    data: { 'TOKEN.1': Buffer.from('hush-hush').toString('base64') },
  });
  fakes.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: inSystem('web'),
    spec: {
      project: projectName,
      environment: 'production',
      source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } },
      secretVariables: { TOKEN: '1' },
      deploy: { enabled: true },
    },
  });
  putProject(fakes, {
    gitConnectionRef: { name: 'shop-git' },
    prEnvironments: { enabled: true, maxOpen: 5 },
    sharedVariables: [{ name: 'LEVEL', environment: 'production', value: 'debug' }],
  });
}

/** Delivers events of the Git host to the process, again while it fails to take one. */
function webhookBeside({ operator, services }: BesideGiven): Promise<Beside> {
  const controller = operator.controllers.find(({ resource }) => resource.kind === projects.kind);
  const of = controller?.entries?.find(({ name }) => name === 'pullRequestEnvironment');
  if (!controller || !of) throw new Error('no controller moves pull requests');
  const lifecycle = entryLifecycle(of, environment);
  return Promise.resolve({
    asked: async (event) => {
      const asked = told(event as HostEvent['event']);
      const decided = operator.decide(controller, lifecycle, projectName, { asked, by: 'webhook' });
      const taken = Effect.retry(Effect.andThen(operator.ready, decided), Schedule.spaced(1_000));
      await Effect.runPromise(Effect.ignore(taken).pipe(Effect.provideContext(services)));
    },
    crash: () => Promise.resolve(),
  });
}

const isReady = (project: CoreProject | undefined) => project?.status?.phase === 'ProjectReady';
const opens: Act = {
  text: 'the pull request opens',
  when: (fakes) => isReady(projectIn(fakes)),
  asks: ({ asked }) => asked('opened'),
};
const isThere = (fakes: TestEnvironment) => entryIn(fakes) !== undefined && entryIn(fakes)?.closedAt === undefined;
const isPushed: Act = { text: 'it receives a push', when: isThere, asks: ({ asked }) => asked('pushed') };
const closes: Act = { text: 'it closes', when: isThere, asks: ({ asked }) => asked('closed') };

const path = (name: string, script: readonly Act[]): Path => ({
  name,
  given: putAll,
  script,
  actors: () => [],
  ends: ['(none)'],
  // An event whose answer was lost is not told again, and neither is one that a process died of.
  mayDiffer: () => true,
});

/** What a close leaves: nothing. */
function oracle(fakes: TestEnvironment): Oracle {
  const left = (): readonly string[] => [
    ...(copiesIn(fakes).length > 0 ? ['copies are left'] : []),
    ...(projectIn(fakes)?.spec.environments.includes(environment) ? ['the environment is left'] : []),
    ...(fakes.cluster.all(secrets).some(({ metadata }) => metadata.name === 'web-pr-7-variables')
      ? ['a Secret of a copy is left']
      : []),
  ];
  return {
    look: () => (copiesIn(fakes).length > 1 ? ['a service has two copies'] : []),
    atRest: () => (entryIn(fakes) === undefined ? left() : []),
  };
}

/** Pull requests that open and close: made and removed by what their states ensure. */
export const pullRequestSubject: FaultSubject = {
  name: 'pullRequestEnvironment',
  tables: ['pullRequestEnvironment', 'projectReady', 'provisionRetry'],
  controllers: () => [projectController()],
  beside: webhookBeside,
  alsoSeen: everyKind,
  removes: true,
  paths: [
    path('it opens and closes', [opens, closes]),
    path('it receives a push in between', [opens, isPushed, closes]),
  ],
  state: stateIn,
  userEdits: {},
  oracle,
};
