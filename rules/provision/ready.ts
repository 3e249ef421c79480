import type { DraftDeployState } from '../../machines/names.ts';
import { draft, itself, kept, type CauseRule } from '../cause/rule.ts';
import { provisioningFailed, retrying } from '../provisionRetry/messages.ts';
import type { VerdictRule } from '../verdict.ts';
import { nothing, type Message } from '../words.ts';

/** The reached states of the machines of a provisioned object. */
export interface Tried {
  /** Retry was answered, and no pass has followed. */
  readonly retrying: boolean;
  /** Why the controller stopped: after counted failures, or at once for the given reason. */
  readonly gaveUp: null | { readonly by: 'failures' } | { readonly by: 'permanentError'; readonly why: Message };
}

/** The same for deployed kinds. */
export interface TriedDeploy extends Tried {
  readonly gate: DraftDeployState;
}

/** The first rows of a Ready table. Giving up precedes every check, because nothing is checked then. */
export const triedRows = <Seen extends Tried>(): readonly VerdictRule<Seen>[] => [
  { reason: 'ReconcileError', status: 'False', when: (seen) => seen.retrying, message: () => retrying, cause: kept },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp?.by === 'failures',
    message: () => provisioningFailed,
    cause: kept,
  },
  {
    reason: 'ProvisionFailed',
    status: 'False',
    when: ({ gaveUp }) => gaveUp !== null,
    message: ({ gaveUp }) => (gaveUp?.by === 'permanentError' ? gaveUp.why : nothing),
    cause: kept,
  },
];

/** The same for deployed kinds, where a draft precedes everything else. */
export const deployedRows = <Seen extends TriedDeploy>(draftWaits: Message): readonly VerdictRule<Seen>[] => [
  {
    reason: 'ReconcileError',
    status: 'False',
    when: ({ gate }) => gate === 'Draft',
    message: () => draftWaits,
    counts: 'waiting',
    cause: draft,
  },
  ...triedRows<Seen>(),
];

/** An object whose deletion has states. */
export interface Leaving {
  /** The phase of its deletion; null when not being deleted. */
  readonly leaving: null | 'lastBackup' | 'deletion';
  /** The failed action of this pass, with a more specific message. */
  readonly failure: unknown;
}

/** The row of a deletion, above all rows of serving, so that clients do not wait for it to serve. */
export const leavingRow = <Seen extends Leaving>(
  stage: NonNullable<Leaving['leaving']>,
  message: Message,
): VerdictRule<Seen> => ({
  reason: 'ReconcileError',
  status: 'False',
  when: ({ leaving, failure }) => leaving === stage && failure === null,
  message: () => message,
  cause: { ...itself('DeletionWaits'), find: () => [] },
});

/** The last row of a Ready table. */
export const otherwise = <Seen>(message: Message, cause: CauseRule<Seen>): VerdictRule<Seen> => ({
  reason: 'ReconcileError',
  status: 'False',
  when: () => true,
  message: () => message,
  counts: 'waiting',
  cause,
});
