import type { AppSpec } from '../../../../crds/coreApp.ts';
import { apps, builds } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../../../runtime/services/cluster/resources.ts';
import { type JobEnd, jobsCreated, nodesOf } from '../../../runtime/controllers/build/nodes.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Path } from '../subject.ts';
import {
  appIn,
  buildsOf,
  commit,
  currentBuildIn,
  names,
  needs,
  type Need,
  putApp,
  putPlace,
  stateIn,
  takeAway,
} from './objects.ts';

const pushes: JobEnd = { is: 'pushes', by: 'message' };
const fails: JobEnd = { is: 'fails' };
const never: JobEnd = { is: 'never' };
const image: AppSpec['source'] = { image: 'registry.local/ready-made' };

/** The service with all its dependencies except these. */
const given =
  (spec: Partial<AppSpec> = {}, ...without: readonly Need[]) =>
  (environment: TestEnvironment) => {
    putPlace(environment);
    for (const need of ['project', 'connection', 'secret', 'registry'] as const)
      if (!without.includes(need)) needs[need](environment);
    putApp(environment, spec);
  };

const become =
  (spec: Partial<AppSpec>) =>
  (environment: TestEnvironment): void =>
    putApp(environment, spec);
const once = (reason: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === reason,
  edit,
});
const phaseIs = (phase: string) => (environment: TestEnvironment) =>
  currentBuildIn(environment)?.status?.phase === phase;
const inPhase = (phase: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: phaseIs(phase),
  edit,
});
/** The phase of the build of that commit, once it is the current one. */
const builtPhase = (
  character: string,
  phase: string,
  text: string,
  edit: (environment: TestEnvironment) => void,
): Act => ({
  text,
  when: (environment) =>
    phaseIs(phase)(environment) && currentBuildIn(environment)?.spec.revision === character.repeat(40),
  edit,
});
const dropBuild = (environment: TestEnvironment) => {
  const build = currentBuildIn(environment);
  if (build) environment.cluster.drop(builds, build.metadata.name);
};
const drop = ({ cluster }: TestEnvironment) => cluster.drop(apps, names.app);
const gone: Act['when'] = (environment) => !appIn(environment);

/** How the Jobs of a commit end, in order; Jobs without an entry push. */
type Jobs = Readonly<Partial<Record<'a' | 'b', readonly JobEnd[]>>>;

function endsOf(environment: TestEnvironment, ends: Jobs): (index: number) => JobEnd {
  const of = new Map<number, string>();
  return (index) => {
    const job = jobsCreated(environment)[index]?.object.metadata.name.replace(/-builder$/, '') ?? '';
    const commit = of.get(index) ?? environment.build(job)?.spec.revision?.[0] ?? '';
    of.set(index, commit);
    const earlier = [...of].filter(([one, other]) => one < index && other === commit).length;
    const told = commit === 'a' || commit === 'b' ? (ends[commit] ?? []) : [];
    return told[Math.min(earlier, told.length - 1)] ?? pushes;
  };
}

type Told = readonly [name: string, end: string, given: Path['given'], script?: readonly Act[], jobs?: Jobs];

const resolved = 'Applied';
const lacking = 'ReconcileError';

const told: readonly Told[] = [
  ['an image', resolved, given({ source: image })],
  ['a function', resolved, given({ source: { function: { runtime: 'node', code: 'export default 1' } } })],
  ['a draft', 'Draft', given({ deploy: { enabled: false } })],
  [
    'a draft is deployed',
    resolved,
    given({ deploy: { enabled: false } }),
    [once('Draft', 'it is deployed', become({ deploy: { enabled: true } }))],
  ],
  ['a repository is built', resolved, given()],
  [
    'a branch is built',
    resolved,
    given({ source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } } }),
  ],
  [
    'a push that nobody tells of',
    resolved,
    given({ source: { git: { repository: 'demo/shop', branch: 'main', waitForCI: false } } }),
    [
      once(resolved, 'it is pushed', ({ git }) => void (git.commit = { is: 'found', value: 'd'.repeat(40) })),
      {
        text: 'what was pushed is built',
        when: (environment) =>
          phaseIs('Succeeded')(environment) && currentBuildIn(environment)?.status?.sourceRevision?.[0] === 'd',
      },
    ],
  ],
  [
    'a project without a connection',
    resolved,
    (environment) => (
      given({}, 'connection', 'secret', 'project')(environment),
      needs.project(environment, ['production'], null)
    ),
  ],
  ['no registry', 'ProvisionFailed', given({}, 'registry')],
  [
    'a registry of its own',
    resolved,
    given({ build: { cache: false, registry: { repository: 'registry.local/own' } } }, 'registry'),
  ],
  ...(['project', 'connection', 'secret', 'registry'] as const).map((need): Told => [
    `the ${need} comes late`,
    resolved,
    given({}, need),
    [once(lacking, `the ${need} comes`, (environment) => needs[need](environment))],
  ]),
  [
    'everything comes late, the last first',
    resolved,
    given({}, 'project', 'connection', 'secret', 'registry'),
    (['registry', 'secret', 'connection', 'project'] as const).map((need): Act => ({
      text: `the ${need} comes`,
      when: (environment) => stateIn(environment) === lacking,
      edit: (environment) => needs[need](environment),
    })),
  ],
  [
    'the environment comes late',
    resolved,
    (environment) => (given({}, 'project')(environment), needs.project(environment, ['staging'])),
    [once(lacking, 'the environment comes', (environment) => needs.project(environment))],
  ],
  [
    'the project goes while it is built',
    'ProvisionFailed',
    given(),
    [inPhase('Running', 'the project goes', takeAway.project)],
    { a: [never] },
  ],
  ['the build fails', 'BuildFailed', given(), [], { a: [fails] }],
  [
    'the build fails, then another commit',
    resolved,
    given(),
    [once('BuildFailed', 'another commit', become({ source: commit('b') }))],
    { a: [fails] },
  ],
  [
    'a newer build fails',
    resolved,
    given(),
    [once(resolved, 'another commit', become({ source: commit('b') }))],
    { b: [fails] },
  ],
  [
    'another commit while it is built',
    resolved,
    given(),
    [inPhase('Running', 'another commit', become({ source: commit('b') }))],
    { a: [never] },
  ],
  [
    'another commit, and back',
    resolved,
    given(),
    [
      once(resolved, 'another commit', become({ source: commit('b') })),
      builtPhase('b', 'Running', 'back to the first', become({ source: commit('a') })),
    ],
    { b: [never] },
  ],
  [
    'other settings while it is built',
    resolved,
    given(),
    [inPhase('Running', 'another registry', (environment) => needs.registry(environment, 'registry.local/other'))],
    { a: [never, pushes] },
  ],
  [
    'the build is deleted while it runs',
    resolved,
    given(),
    [inPhase('Running', 'the build is deleted', dropBuild)],
    { a: [never, pushes] },
  ],
  ['the build is deleted when it is done', resolved, given(), [once(resolved, 'the build is deleted', dropBuild)]],
  [
    'the Job is deleted while it runs',
    'BuildFailed',
    given(),
    [
      inPhase('Running', 'the Job is deleted', ({ cluster }) =>
        cluster.all(jobs).forEach(({ metadata }) => cluster.drop(jobs, metadata.name)),
      ),
    ],
    { a: [never] },
  ],
  [
    'it becomes a draft while it is built',
    'Draft',
    given(),
    [inPhase('Running', 'it becomes a draft', become({ deploy: { enabled: false } }))],
    { a: [never] },
  ],
  [
    'from an image to a repository',
    resolved,
    given({ source: image }),
    [once(resolved, 'a repository', become({ source: commit('a') }))],
  ],
  [
    'from a repository to an image',
    resolved,
    given(),
    [inPhase('Running', 'an image', become({ source: image }))],
    { a: [never] },
  ],
  [
    'two services of one repository',
    resolved,
    (environment) => (given()(environment), putApp(environment, {}, 'till')),
  ],
  [
    'a build that nobody owns stands already',
    resolved,
    given(),
    [
      inPhase('Succeeded', 'the service goes, its build is kept', (environment) => {
        const kept = buildsOf(environment);
        drop(environment);
        for (const { metadata, ...build } of kept)
          environment.cluster.put(builds, { ...build, metadata: { ...metadata, ownerReferences: [], uid: 'kept' } });
      }),
      { text: 'the service comes back', when: gone, edit: (environment) => putApp(environment) },
    ],
  ],
  [
    'it is deleted while it is built',
    '',
    given(),
    [inPhase('Running', 'the service is deleted', drop)],
    { a: [never] },
  ],
  [
    'it is created anew',
    resolved,
    given(),
    [
      inPhase('Running', 'the service is deleted', drop),
      { text: 'the service is created', when: gone, edit: (environment) => putApp(environment) },
    ],
    { a: [never, pushes] },
  ],
];

/** The build-related paths of a service: every verdict, and every way out of it. */
export const appPaths: readonly Path[] = told.map(([name, end, prepared, script = [], ends = {}]) => ({
  name,
  given: prepared,
  script,
  ends: [end],
  actors: (environment) => [nodesOf(environment, endsOf(environment, ends))],
  mayDiffer: (difference) =>
    /core\.platform\/(applied|move|rollout)|provisionAttempts|reconcileFailures|reconcileRetry/.test(difference),
}));
