import { Effect } from 'effect';
import { type CoreBuild } from '../../../crds/coreBuild.ts';
import type { Job } from '../../../crds/builtIn.ts';
import { label } from '../../../crds/names.ts';
import { build as machine } from '../../../machines/build.ts';
import type { BuildEvent, BuildState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { buildLabels, jobName } from '../../../rules/build/build.ts';
import { buildEvents } from '../../../rules/build/events.ts';
import type { BuildFacts } from '../../../rules/build/facts.ts';
import { type BuilderSettings, builderJob } from '../../../rules/build/job.ts';
import { byState } from '../../../rules/engine.ts';
import { newestMove } from '../../step/history.ts';
import { byAwaitedHost, byAwaitedStore, byOwnKeys } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, specRead } from '../../contract/reads.ts';
import { builds, connections, objectStores } from '../../services/cluster/kinds.ts';
import { type Acting, ActionFailed, lifecycle } from '../../contract/lifecycle.ts';
import { failedCreations, failedMounts, jobPods, jobs, secrets } from '../../services/cluster/resources.ts';
import { hasState } from '../../step/machine.ts';
import { Cluster, type Resource } from '../../services/cluster/cluster.ts';
import { projectPlacement } from '../placement.ts';
import { ask } from './ask.ts';
import { ensures } from './ensures.ts';
import { observe, readJob } from './observe.ts';
import { why } from '../../services/why.ts';
import { buildActions } from './actions.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

const phaseOf = (build: CoreBuild) => build.status?.phase ?? '';

const isState = (phase: string): phase is BuildState => hasState(machine, phase);

/** The lens: empty reads as Pending; `logRef` distinguishes a Failed build whose Job ran from one without a Job. */
function read(build: CoreBuild): BuildState {
  const phase = phaseOf(build);
  if (phase === '') return 'Pending';
  if (phase === 'Failed') return build.status?.logRef ? 'Failed' : 'FailedBeforeJob';
  return isState(phase) ? phase : 'Unrecognised';
}

const write = (to: BuildState) => ({ phase: to === 'FailedBeforeJob' ? 'Failed' : to });

/** Failures that only a changed setting resolves (decision 38). */
const settingFaults = ['registryMissing', 'contextEscaped', 'connectionUnset', 'settingStayedWrong'];

/** A failure without a Job that a timer retries, or a Job with a failed pod. */
function isRetrying(build: CoreBuild): boolean {
  const state = read(build);
  if (state === 'Running') return (build.status?.retryCount ?? 0) > 0;
  return state === 'FailedBeforeJob' && !settingFaults.includes(newestMove(build, 'build')?.event ?? '');
}

/** CoreBuild: its one machine, wired to the cluster, the Git host and the object store. */
export function buildController(settings: BuilderSettings): Controller {
  const { gitUrl } = settings;
  return controller<CoreBuild>({
    resource: builds,
    lifecycles: [
      lifecycle<CoreBuild, BuildFacts, BuildState, BuildEvent['type']>({
        name: 'build',
        kept: 'status',
        machine,
        ...tables.build,
        rules: byState(buildEvents),
        retrying: isRetrying,
        read,
        write,
        shown: (build) => phaseOf(build) || 'Pending',
        observe: (build, reader, moment) => observe(build, reader, moment, gitUrl),
        ask: (fact, build, reader) => ask(fact, build, { reader, gitUrl }),
        actions: buildActions((acting) => createJob(acting, settings)),
        ensures,
      }),
    ],
    watches: [
      watching({
        resource: jobs,
        reads: everyChange,
        concerns: ({ metadata }) => (metadata.ownerReferences ?? []).filter(isBuild).map(named),
      }),
      // Cached for the explanation only: no state depends on them.
      ...[jobPods, failedMounts, failedCreations].map((resource: Resource) => cachedOnly(resource)),
      watching({
        resource: connections,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, builds, byAwaitedHost, metadata.name),
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) =>
          namesByEach(reader, builds, byAwaitedHost, namesBy(reader, connections, byOwnKeys, metadata.name)),
      }),
      watching({
        resource: objectStores,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => namesBy(reader, builds, byAwaitedStore, metadata.name),
      }),
    ],
    ensures: {},
    adopt: ({ metadata, spec }) =>
      metadata.labels?.[label.app] === undefined ? { metadata: { labels: buildLabels(spec) } } : null,
  });
}

const named = ({ name }: { readonly name: string }) => name;
const isBuild = ({ kind }: { readonly kind: string }) => kind === 'CoreBuild';

/** Whether a Job was made for a run. */
export function isJobOf(job: Job, run: string): boolean {
  const seen = readJob(job);
  return seen.is === 'present' && seen.run === run;
}

const createJob = Effect.fnUntraced(function* (
  { object, reader }: Acting<CoreBuild, BuildFacts>,
  settings: BuilderSettings,
) {
  const cluster = yield* Cluster;
  const run = object.status?.startedAt ?? '';
  const job = builderJob(object, run, projectPlacement(object.spec.project, reader), settings);
  const failed = (text: string) =>
    new ActionFailed({ action: 'createJob', weight: 'waiting', text: `the builder Job could not be created: ${text}` });
  yield* cluster.create(jobs, job).pipe(
    Effect.catchTag('AlreadyExists', () =>
      cluster.get(jobs, { name: jobName(object.metadata.name) }).pipe(
        // The Job is ours already when the response to an earlier attempt was lost.
        Effect.filterOrFail(
          (found) => isJobOf(found, run),
          () => failed('a Job of another run still exists'),
        ),
      ),
    ),
    Effect.mapError((error) => (error._tag === 'ActionFailed' ? error : failed(why(error)))),
  );
});
