import type { DraftDeployState } from '../../machines/names.ts';
import { provisioningFailed, retrying } from '../provisionRetry/messages.ts';
import type { VerdictRule } from '../verdict.ts';
import { nothing, type Message } from '../words.ts';

/** The states that the machines of something provisioned reached. */
export interface Tried {
  /** Retry was answered, and no pass has followed. */
  readonly retrying: boolean;
  /** Why the controller stopped: after counted failures, or at once for the given reason. */
  readonly gaveUp: null | { readonly by: 'failures' } | { readonly by: 'permanentError'; readonly why: Message };
}

/** The same of what is deployed. */
export interface TriedDeploy extends Tried {
  readonly gate: DraftDeployState;
}

/** The first rows of a Ready table. What was given up precedes every check, because nothing is checked then. */
export const triedRows = <Seen extends Tried>(): readonly VerdictRule<Seen>[] => [
  { reason: 'ReconcileError', status: 'False', when: (seen) => seen.retrying, message: () => retrying },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp?.by === 'failures',
    message: () => provisioningFailed,
  },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp !== null,
    message: ({ gaveUp }) => (gaveUp?.by === 'permanentError' ? gaveUp.why : nothing),
  },
];

/** The same of what is deployed, where a draft precedes all else. */
export const deployedRows = <Seen extends TriedDeploy>(draftWaits: Message): readonly VerdictRule<Seen>[] => [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ gate }) => gate === 'Draft',
    message: () => draftWaits,
    counts: 'waiting',
  },
  ...triedRows<Seen>(),
];

/** Something with a machine of its own end. */
export interface Leaving {
  /** How far its deletion came; null while nobody deleted it. */
  readonly leaving: null | 'lastBackup' | 'deletion';
  /** The act that failed in this pass, whose message says more. */
  readonly failure: unknown;
}

/** The row of a deletion, above all that is said of what serves: whoever reads it must not wait for it to serve again. */
export const leavingRow = <Seen extends Leaving>(
  stage: NonNullable<Leaving['leaving']>,
  message: Message,
): VerdictRule<Seen> => ({
  reason: 'ReconcileError',
  status: 'False',
  when: ({ leaving, failure }) => leaving === stage && failure === null,
  message: () => message,
});

/** The last row of a Ready table. */
export const otherwise = <Seen>(message: Message): VerdictRule<Seen> => ({
  reason: 'ReconcileError',
  status: 'False',
  when: () => true,
  message: () => message,
  counts: 'waiting',
});
