import type { LogicalDatabaseState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';

type State = LogicalDatabaseState | Absence | '(deleted)';

/** Never the name of a Job that is still there: names of attempts are never used again. */
export const attempts = ['one', 'other'] as const;

/** One logical database, its server, and what was created there. Times are stored as elapsed time. */
export interface World {
  readonly state: State;
  readonly shared: boolean;
  readonly server: 'absent' | 'notReady' | 'withoutLogin' | 'ready';
  readonly fits: 'fits' | 'otherRegion' | 'wrongName';
  /** Another, older logical database has the same database. */
  readonly held: boolean;
  readonly finalizer: boolean;
  readonly attempt: (typeof attempts)[number] | null;
  readonly job: { readonly attempt: string; readonly is: 'running' | 'succeeded' | 'failed' } | null;
  /** The row of another lifecycle; after `fourTimes` and `threeMinutes` the next counted failure gives up. */
  readonly retry: 'clean' | 'fourTimes' | 'threeMinutes' | 'over';
  /** Whether a failure was counted less than half a minute ago. */
  readonly hurried: boolean;
  /** An act cannot be done yet. */
  readonly stuck: boolean;
  readonly specNew: boolean;
  readonly created: boolean;
  readonly connection: boolean;
  readonly database: boolean;
  readonly dropJob: 'absent' | 'running' | 'succeeded' | 'failed';
  readonly deletedForMs: number | null;
  /** Whether anything was ever dropped or taken away that should have stayed. */
  readonly lost: 'nothing' | 'own' | 'others';
}
