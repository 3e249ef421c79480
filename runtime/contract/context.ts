import type { Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { AddOther, MoveOther } from './command.ts';
import type { CacheReader } from '../cache/reader.ts';

/** What the passes of one operator share. */
export interface PassContext {
  readonly reader: CacheReader;
  /** Called with every object a pass wrote, before the pass continues. */
  readonly wrote: (object: KubeObject) => void;
  /** Called with an external change that no arrow of the table explains. */
  readonly external: (object: KubeObject, move: HistoryEntry) => void;
  /** Called with every failure of an ensure, by its name. */
  readonly ensureFailed: (ensure: string) => void;
  readonly move: MoveOther;
  readonly add: AddOther;
  /** Archives the history of an object once, when its life is over. */
  readonly archive: (object: KubeObject) => Effect.Effect<void>;
  /** Whether this process ended the life of this uid. */
  readonly hasEnded: (uid: string) => boolean;
}
