import type { Json } from '../json.ts';
import type { Stored } from '../../store.ts';
import type { Steps } from '../steps.ts';

/** What a patch makes of an object, and of none where it may create one. */
export interface Patch {
  /** Changes what the client sees of the object, which is stored as `stored`. */
  readonly apply: (object: Json, stored: Stored) => Steps<Json>;
  readonly create?: () => Steps<Json>;
  /** Whether it says itself who manages what from now on. */
  readonly isApply?: true;
}
