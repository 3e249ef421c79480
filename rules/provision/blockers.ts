import { byAwaitedAction, byFailedAction, type FailedAction } from '../cause/failedAction.ts';
import type { Counts, VerdictRule } from '../verdict.ts';
import { external } from '../words.ts';

/** Why something provisioned is not ready: a wait, a counted failure, or a failure that a retry would not fix. */
export interface Blocker<Seen> extends VerdictRule<Seen> {
  readonly counts: Counts;
  /** Whether nothing may be applied while it lasts. */
  readonly blocks: boolean;
}

export type BlockerWords<Seen> = Pick<Blocker<Seen>, 'when' | 'message' | 'kind' | 'cause'>;

/** A blocker that is waited for without a limit. */
export const awaited = <Seen>(words: BlockerWords<Seen>): Blocker<Seen> => ({
  ...words,
  counts: 'waiting',
  blocks: true,
  reason: 'ReconcileError',
  status: 'False',
});

/** A failure that is counted, and ends in giving up. */
export const counted = <Seen>(words: BlockerWords<Seen>): Blocker<Seen> => ({
  ...awaited(words),
  counts: 'counted',
});

/** A failure that gives up at once. */
export const permanent = <Seen>(words: BlockerWords<Seen>): Blocker<Seen> => ({
  ...awaited(words),
  counts: 'permanent',
  reason: 'ProvisionFailed',
});

/** A blocker of applied objects that are not ready yet. */
export const applied = <Seen>(blocker: Blocker<Seen>): Blocker<Seen> => ({ ...blocker, blocks: false });

/** The failed action of a pass. */
export interface FailureSeen {
  readonly failure: (FailedAction & { readonly counts: Counts }) | null;
}

/** Blockers for a failed action of this pass, which outranks everything that did not prevent it. */
export const failedInPass = <Seen extends FailureSeen>(): readonly Blocker<Seen>[] => {
  const message = ({ failure }: Seen) => external(failure?.why ?? '');
  return [
    permanent({ when: ({ failure }) => failure?.counts === 'permanent', message, cause: byFailedAction }),
    counted({ when: ({ failure }) => failure?.counts === 'counted', message, cause: byFailedAction }),
    awaited({ when: ({ failure }) => failure !== null, message, cause: byAwaitedAction }),
  ];
};

/** The first blocker that holds; undefined when nothing blocks. */
export const blockerAmong = <Seen>(table: readonly Blocker<Seen>[], seen: Seen): Blocker<Seen> | undefined =>
  table.find(({ when }) => when(seen));

/** Whether a blocker forbids to apply anything. */
export const isBlockedBy = <Seen>(table: readonly Blocker<Seen>[], seen: Seen): boolean =>
  table.some(({ blocks, when }) => blocks && when(seen));
