import type { AppSpec } from '../../../../crds/coreApp.ts';
import { apps, builds } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../../../runtime/services/cluster/resources.ts';
import { type JobEnd, jobsCreated, nodesOf } from '../../../runtime/controllers/build/nodes.ts';
import type { World } from '../../../support/world.ts';
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
  (world: World) => {
    putPlace(world);
    for (const need of ['project', 'connection', 'secret', 'registry'] as const)
      if (!without.includes(need)) needs[need](world);
    putApp(world, spec);
  };

const become =
  (spec: Partial<AppSpec>) =>
  (world: World): void =>
    putApp(world, spec);
const once = (reason: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => stateIn(world) === reason,
  edit,
});
const phaseIs = (phase: string) => (world: World) => currentBuildIn(world)?.status?.phase === phase;
const inPhase = (phase: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: phaseIs(phase),
  edit,
});
/** The phase of the build of that commit, once it is the current one. */
const builtPhase = (character: string, phase: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => phaseIs(phase)(world) && currentBuildIn(world)?.spec.revision === character.repeat(40),
  edit,
});
const dropBuild = (world: World) => {
  const build = currentBuildIn(world);
  if (build) world.cluster.drop(builds, build.metadata.name);
};
const drop = ({ cluster }: World) => cluster.drop(apps, names.app);
const gone: Act['when'] = (world) => !appIn(world);

/** How the Jobs of a commit end, in order; Jobs without an entry push. */
type Jobs = Readonly<Partial<Record<'a' | 'b', readonly JobEnd[]>>>;

function endsOf(world: World, ends: Jobs): (index: number) => JobEnd {
  const of = new Map<number, string>();
  return (index) => {
    const job = jobsCreated(world)[index]?.object.metadata.name.replace(/-builder$/, '') ?? '';
    const commit = of.get(index) ?? world.build(job)?.spec.revision?.[0] ?? '';
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
        when: (world) => phaseIs('Succeeded')(world) && currentBuildIn(world)?.status?.sourceRevision?.[0] === 'd',
      },
    ],
  ],
  [
    'a project without a connection',
    resolved,
    (world) => (given({}, 'connection', 'secret', 'project')(world), needs.project(world, ['production'], null)),
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
    [once(lacking, `the ${need} comes`, (world) => needs[need](world))],
  ]),
  [
    'everything comes late, the last first',
    resolved,
    given({}, 'project', 'connection', 'secret', 'registry'),
    (['registry', 'secret', 'connection', 'project'] as const).map((need): Act => ({
      text: `the ${need} comes`,
      when: (world) => stateIn(world) === lacking,
      edit: (world) => needs[need](world),
    })),
  ],
  [
    'the environment comes late',
    resolved,
    (world) => (given({}, 'project')(world), needs.project(world, ['staging'])),
    [once(lacking, 'the environment comes', (world) => needs.project(world))],
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
    [inPhase('Running', 'another registry', (world) => needs.registry(world, 'registry.local/other'))],
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
  ['two services of one repository', resolved, (world) => (given()(world), putApp(world, {}, 'till'))],
  [
    'a build that nobody owns stands already',
    resolved,
    given(),
    [
      inPhase('Succeeded', 'the service goes, its build is kept', (world) => {
        const kept = buildsOf(world);
        drop(world);
        for (const { metadata, ...build } of kept)
          world.cluster.put(builds, { ...build, metadata: { ...metadata, ownerReferences: [], uid: 'kept' } });
      }),
      { text: 'the service comes back', when: gone, edit: (world) => putApp(world) },
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
      { text: 'the service is created', when: gone, edit: (world) => putApp(world) },
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
  actors: (world) => [nodesOf(world, endsOf(world, ends))],
  mayDiffer: (difference) =>
    /core\.platform\/(applied|move|rollout)|provisionAttempts|reconcileFailures|reconcileRetry/.test(difference),
}));
