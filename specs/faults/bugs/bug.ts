import type { Planted } from '../world/planted.ts';
import type { Family } from './families.ts';

/** An exact text of one source file, and its replacement. */
export interface Patch {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** How a bug is planted: around the product's services or controllers, or in its sources. */
export type Plant =
  ({ readonly is: 'around' } & Planted) | { readonly is: 'source'; readonly patches: readonly Patch[] };

/** A mistake that controllers are known to make, planted in the product on purpose. */
export interface Bug {
  readonly name: string;
  readonly family: Family;
  /** What the bug changes in the product. */
  readonly text: string;
  readonly plant: Plant;
  /** Matches the names of the paths that can show the bug; these paths come first. */
  readonly on?: RegExp;
  /** Patterns that precede those of its family. */
  readonly by?: readonly string[];
  /** Plans that belong to no pattern and precede all patterns. */
  readonly plans?: readonly string[];
  /** Why no external observer can see the bug; a bug that is caught must not have this field. */
  readonly unseen?: string;
}

/** Replaces one text of one source file. */
export const patched = (file: string, from: string, to: string): Plant => ({
  is: 'source',
  patches: [{ file, from, to }],
});

/** Wraps the services or the controllers of every process. */
export const around = (planted: Planted): Plant => ({ is: 'around', ...planted });
