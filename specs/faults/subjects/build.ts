import { Effect } from 'effect';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { type BuildStatus, coreBuild, type CoreBuild } from '../../../crds/coreBuild.ts';
import { builds, objectStores } from '../../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../../runtime/services/cluster/resources.ts';
import { digestOfJob, jobsCreated, runOf } from '../../runtime/controllers/build/nodes.ts';
import { name, paths } from '../../runtime/controllers/build/paths.ts';
import { buildControllers, type TestEnvironment } from '../../support/environment.ts';
import type { FaultSubject, Oracle } from './subject.ts';

const buildOf = (environment: TestEnvironment) => environment.build(name);
const write = (environment: TestEnvironment, change: (build: CoreBuild) => CoreBuild) => {
  const stored = buildOf(environment);
  if (stored) environment.cluster.put(builds, change(stored));
};
const again = ({ metadata, spec }: CoreBuild): CoreBuild => ({
  ...typeMeta(coreBuild),
  metadata: { name: metadata.name, namespace: systemNamespace },
  spec,
});

const phaseIs = (phase: string) => (environment: TestEnvironment) => {
  if (buildOf(environment)) Effect.runSync(environment.cluster.patchStatus(builds, { name }, { phase }));
};

/** The phases that the schema allows a user to write. */
const phases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'];

/** External changes by users of kubectl to a build. */
const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(phases.map((phase) => [`phase ${phase}`, phaseIs(phase)])),
  'the Job is deleted': (environment) => environment.cluster.drop(jobs, `${name}-builder`),
  'the labels are removed': (environment) =>
    write(environment, (build) => ({ ...build, metadata: { ...build.metadata, labels: {}, annotations: {} } })),
  'another commit': (environment) =>
    write(environment, (build) => ({ ...build, spec: { ...build.spec, revision: 'b'.repeat(40) } })),
  'no registry': (environment) => write(environment, (build) => ({ ...build, spec: { ...build.spec, registry: '' } })),
  'the status is emptied': (environment) => write(environment, (build) => ({ ...build, status: {} })),
  'the build is deleted': (environment) => environment.cluster.drop(builds, name),
  'the build is created anew': (environment) => {
    const stored = buildOf(environment);
    if (!stored) return;
    environment.cluster.drop(builds, name);
    environment.cluster.put(builds, again(stored));
  },
  'the build is paused and goes on': (environment) => {
    write(environment, (build) => ({
      ...build,
      metadata: { ...build.metadata, annotations: { ...build.metadata.annotations, [annotation.paused]: 'true' } },
    }));
    write(environment, (build) => {
      const { [annotation.paused]: _, ...annotations } = build.metadata.annotations ?? {};
      return { ...build, metadata: { ...build.metadata, annotations } };
    });
  },
};

/** What must hold of a build under every fault: of its runs, their Jobs and their results. */
function oracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  const runs: string[] = [];
  const given = jobsCreated(environment).map(({ object }) => object.metadata.uid);
  let of = '';

  const enterRun = (startedAt: string): readonly string[] => {
    const newest = runs.at(-1);
    if (startedAt === newest) return [];
    runs.push(startedAt);
    return newest !== undefined && startedAt <= newest ? [`run ${startedAt} is not later than ${newest}`] : [];
  };
  const checkResult = ({ phase, imageDigest, completedAt, startedAt }: BuildStatus): readonly string[] => {
    const early = completedAt && phase !== 'Succeeded' ? [`completedAt in ${phase}`] : [];
    if (!imageDigest) return early;
    const index = jobsCreated(environment).findLastIndex(({ object }) => runOf(object) === startedAt);
    return [
      ...early,
      ...(phase === 'Succeeded' ? [] : [`a digest in ${phase}`]),
      ...(imageDigest === digestOfJob(index) ? [] : [`the digest of another run in ${phase}`]),
    ];
  };
  /** An older Job without an owner: once its build is gone, no garbage collector removes it, and nobody else may. */
  const isOrphan = ({ metadata }: KubeObject) => !buildOf(environment) && given.includes(metadata.uid);
  const checkJobs = ({ phase, startedAt }: BuildStatus): readonly string[] => {
    const created = jobsCreated(environment).slice(given.length);
    const runsOf = created.map(({ object }) => `${object.metadata.ownerReferences?.[0]?.uid} ${runOf(object)}`);
    const left = environment.cluster.all(jobs);
    // A Job that a paused leader created too late is undone.
    const again = created.filter((_, index) => runsOf.indexOf(runsOf[index] ?? '') < index);
    const twice = left.some(({ metadata }) => again.some(({ object }) => object.metadata.uid === metadata.uid));
    return [
      // A user who restores a phase and keeps the run requests the same run again.
      ...(!hasUserEdits && twice ? ['two Jobs of one run'] : []),
      ...(!hasUserEdits && created.some(({ object }) => !runs.includes(runOf(object)))
        ? ['a Job of a run that was never claimed']
        : []),
      ...(left.some((job) => runOf(job) !== startedAt && !isOrphan(job)) ? ['a Job of another run is left'] : []),
      ...(phase === 'Cancelled' && left.length > 0 ? ['a cancelled build has a Job'] : []),
    ];
  };

  return {
    look: (changed) => {
      if (changed.kind !== 'CoreBuild') return [];
      const { metadata, status = {} } = changed as CoreBuild;
      if (metadata.uid !== of) runs.length = 0;
      of = metadata.uid ?? '';
      // A user may write a state that a build would never reach, so only its final state is checked.
      return hasUserEdits ? [] : [...(status.startedAt ? enterRun(status.startedAt) : []), ...checkResult(status)];
    },
    atRest: () => {
      const status = buildOf(environment)?.status ?? {};
      const archived = [...environment.bucket.values()].some(
        ({ metadata }) => metadata['core-run'] !== status.startedAt,
      );
      return [
        ...(hasUserEdits ? [] : checkResult(status)),
        ...checkJobs(status),
        ...(archived && !hasUserEdits ? ['the log of another run is archived'] : []),
      ];
    },
  };
}

/** The build: everything that its users, nodes, Git host and store may do. */
export const buildSubject: FaultSubject = {
  name: 'build',
  tables: ['build'],
  // Services have subjects of their own, and their many watches would hide what a lost one does to builds.
  controllers: () => buildControllers().filter(({ resource }) => resource.kind !== 'CoreApp'),
  alsoSeen: [objectStores],
  paths,
  state: (environment) => buildOf(environment)?.status?.phase ?? '',
  userEdits,
  oracle,
};
