import type { Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { MoveOther } from '../lifecycle.ts';
import type { CacheReader } from '../cache/reader.ts';

/** What the passes of one operator share. */
export interface PassContext {
  readonly reader: CacheReader;
  /** Told of every object a pass wrote, before the pass goes on. */
  readonly wrote: (object: KubeObject) => void;
  /** Told of a move from outside that no arrow of the table explains. */
  readonly external: (object: KubeObject, move: HistoryEntry) => void;
  readonly move: MoveOther;
  /** Keeps the history of an object whose life is over, once. */
  readonly archive: (object: KubeObject) => Effect.Effect<void>;
  /** Whether a life was ended here, by its uid. */
  readonly hasEnded: (uid: string) => boolean;
}
