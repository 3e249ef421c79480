import type { BuildPhase } from '../deployWait/facts.ts';
import { firstHeld, type VerdictRule } from '../verdict.ts';

/** What a deploy came to, as far as the service and the build of what was deployed tell. */
export interface DeploySeen {
  /** The controller has taken up this deploy, and the image of its build. */
  readonly takenUp: boolean;
  /** The Ready condition; null before the first. */
  readonly ready: { readonly status: string; readonly reason: string; readonly message: string } | null;
  /** The build of what was deployed; null where nothing is built. */
  readonly build: DeployedBuild | null;
}

/** The same of a service, for whoever waits until nothing is left to deploy. */
export interface DeployAwaited extends DeploySeen {
  /** Saved changes wait for a deploy. A deploy itself runs without those that came after it. */
  readonly pendingChanges: boolean;
}

/** The build that a deploy runs, `Pending` while it is still to be created. */
export interface DeployedBuild {
  readonly phase: BuildPhase;
  readonly failureReason: string;
}

/** How a deploy stands; a failed one says why. */
export type DeployVerdict =
  | { readonly is: 'running' }
  | { readonly is: 'succeeded' }
  | { readonly is: 'failed'; readonly by: 'service' | 'build'; readonly message: string };

/** What is said of a failure that gives no reason. */
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

/** How a service stands, as `deploy --wait` judges it. */
export function deployVerdict(seen: DeployAwaited): DeployVerdict {
  const { reason, status, message } = firstHeld('Deploy', deployVerdicts, seen);
  if (status === 'Unknown') return { is: 'running' };
  if (status === 'True') return { is: 'succeeded' };
  return { is: 'failed', by: reason === 'GivenUp' ? 'service' : 'build', message: message(seen) };
}

/** How the newest deploy stands by itself: what was saved after it is no part of it. */
export const verdictOfDeploy = (seen: DeploySeen): DeployVerdict => deployVerdict({ ...seen, pendingChanges: false });

/** How its attempt and its record stand, which a failed build alone does not end. */
export function verdictOfAttempt(seen: DeploySeen): DeployVerdict['is'] {
  const verdict = verdictOfDeploy(seen);
  return verdict.is === 'failed' && verdict.by === 'build' ? 'running' : verdict.is;
}
