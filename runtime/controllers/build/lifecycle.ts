import { type CoreBuild } from '../../../crds/coreBuild.ts';
import { build as machine } from '../../../machines/build.ts';
import type { BuildEvent, BuildState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { buildEvents } from '../../../rules/build/events.ts';
import type { BuildFacts } from '../../../rules/build/facts.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { byState } from '../../../rules/engine.ts';
import { type AnyLifecycle, lifecycle } from '../../contract/lifecycle.ts';
import { ask } from './ask.ts';
import { ensures } from './ensures.ts';
import { observe } from './observe.ts';
import { buildActions } from './actions.ts';
import { newestMove } from '../../step/history.ts';
import { hasState } from '../../step/machine.ts';

const phaseOf = (build: CoreBuild) => build.status?.phase ?? '';

const isState = (phase: string): phase is BuildState => hasState(machine, phase);

/** The lens: empty reads as Pending; `logRef` distinguishes a Failed build whose Job ran from one without a Job. */
export function readBuild(build: CoreBuild): BuildState {
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
  const state = readBuild(build);
  if (state === 'Running') return (build.status?.retryCount ?? 0) > 0;
  return state === 'FailedBeforeJob' && !settingFaults.includes(newestMove(build, 'build')?.event ?? '');
}

/** The machine of a build, wired to the cluster, the Git host and the object store. */
export const buildLifecycle = (settings: BuilderSettings): AnyLifecycle => {
  const { gitUrl } = settings;
  return lifecycle<CoreBuild, BuildFacts, BuildState, BuildEvent['type']>({
    name: 'build',
    storage: 'status',
    machine,
    ...tables.build,
    rules: byState(buildEvents),
    retrying: isRetrying,
    read: readBuild,
    write,
    shown: (build) => phaseOf(build) || 'Pending',
    observe: (build, reader, input) => observe(build, reader, input, gitUrl),
    ask: (fact, build, reader) => ask(fact, build, { reader, gitUrl }),
    actions: buildActions(settings),
    ensures,
  });
};
