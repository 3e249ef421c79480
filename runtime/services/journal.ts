import { Context, type Effect } from 'effect';
import type { HistoryEntry } from '../../crds/kind.ts';

/** The history of a deleted object. */
export interface Tombstone {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly deletedAt: string;
  readonly history: readonly HistoryEntry[];
}

/**
 * Keeps histories for 30 days after their objects are deleted, one for each uid; writing is best effort and never
 * fails.
 */
export interface JournalShape {
  readonly archive: (tombstone: Tombstone) => Effect.Effect<void>;
  /** The objects deleted at or after a time (ms since the epoch), oldest first. */
  readonly since: (ms: number) => Effect.Effect<readonly Tombstone[]>;
}

export class Journal extends Context.Service<Journal, JournalShape>()('core/Journal') {}
