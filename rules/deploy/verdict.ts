import type { BuildPhase } from '../deployWait/facts.ts';
import { firstHeld, type VerdictRule } from '../verdict.ts';

/** The state of a deploy, by the service and the build of its spec. */
export interface DeploySeen {
  /** The controller has started this deploy, with the image of its build. */
  readonly takenUp: boolean;
  /** The Ready condition; null before the first. */
  readonly ready: { readonly status: string; readonly reason: string; readonly message: string } | null;
  /** The build of the deployed spec; null without a build. */
  readonly build: DeployedBuild | null;
}

/** The same for a wait until nothing is left to deploy. */
export interface DeployAwaited extends DeploySeen {
  /** Saved changes wait for a deploy. They are not part of the deploy. */
  readonly pendingChanges: boolean;
}

/** The build that a deploy runs, `Pending` before it is created. */
export interface DeployedBuild {
  readonly phase: BuildPhase;
  readonly failureReason: string;
  /** Whether it failed because nothing was pushed yet: the first push starts it over. */
  readonly awaitsPush?: boolean;
}

/** The state of a deploy; a failed one has a cause. */
export type DeployVerdict =
  | { readonly is: 'running' }
  | { readonly is: 'succeeded' }
  | { readonly is: 'failed'; readonly by: 'service' | 'build'; readonly message: string };

/** The message of a failure without a reason. */
export const noReason = 'no reason was given';

const isReady = ({ takenUp, ready }: DeploySeen) => takenUp && ready?.status === 'True';
const isBuilt = ({ build }: DeploySeen) => build === null || build.phase === 'Succeeded';

/** The verdict on a deploy, in the order checked; the message of a failure is its cause. */
export const deployVerdicts: readonly VerdictRule<DeployAwaited, string>[] = [
  {
    reason: 'Succeeded',
    status: 'True',
    when: (seen) => isReady(seen) && !seen.pendingChanges && isBuilt(seen),
    message: () => 'succeeded',
  },
  {
    reason: 'GivenUp',
    status: 'False',
    when: ({ takenUp, ready }) => takenUp && ready?.status !== 'True' && ready?.reason === 'ProvisionFailed',
    message: ({ ready }) => ready?.message || noReason,
  },
  {
    reason: 'BuildFailed',
    status: 'False',
    when: ({ build }) => build?.phase === 'Failed',
    message: ({ build }) => build?.failureReason || noReason,
  },
  { reason: 'Running', status: 'Unknown', when: () => true, message: () => 'running' },
];

/** The verdict of `deploy --wait` on a service. */
export function deployVerdict(seen: DeployAwaited): DeployVerdict {
  const { reason, status, message } = firstHeld('Deploy', deployVerdicts, seen);
  if (status === 'Unknown') return { is: 'running' };
  if (status === 'True') return { is: 'succeeded' };
  return { is: 'failed', by: reason === 'GivenUp' ? 'service' : 'build', message: message(seen) };
}

/**
 * The verdict on the newest deploy, without later saves. A build that awaits the first push has not failed for good, and
 * nobody has to hear of it; `deploy --wait` ends all the same, because nothing comes by itself.
 */
export function verdictOfDeploy(seen: DeploySeen): DeployVerdict {
  const verdict = deployVerdict({ ...seen, pendingChanges: false });
  return verdict.is === 'failed' && verdict.by === 'build' && seen.build?.awaitsPush === true
    ? { is: 'running' }
    : verdict;
}

/** The verdict on its attempt and record, which a failed build alone does not end. */
export function verdictOfAttempt(seen: DeploySeen): DeployVerdict['is'] {
  const verdict = verdictOfDeploy(seen);
  return verdict.is === 'failed' && verdict.by === 'build' ? 'running' : verdict.is;
}
