import type { Planted } from '../world/planted.ts';
import type { Family } from './families.ts';

/** One exact text of one source, and what takes its place. */
export interface Patch {
  /** From the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** How a bug gets into the product: around its services or its controllers, or into its sources. */
export type Plant =
  ({ readonly is: 'around' } & Planted) | { readonly is: 'source'; readonly patches: readonly Patch[] };

/** A mistake that controllers are known to make, put into the product on purpose. */
export interface Bug {
  readonly name: string;
  readonly family: Family;
  /** What is wrong with the product then. */
  readonly text: string;
  readonly plant: Plant;
  /** Where the bug can show at all: paths whose names this matches come first. */
  readonly on?: RegExp;
  /** Patterns that come before those of its family. */
  readonly by?: readonly string[];
  /** Plans that no pattern has, and that come before all patterns. */
  readonly plans?: readonly string[];
  /** Why nobody who looks on from outside could see it; a bug that is caught must not have one. */
  readonly unseen?: string;
}

/** One text of one source changed. */
export const patched = (file: string, from: string, to: string): Plant => ({
  is: 'source',
  patches: [{ file, from, to }],
});

/** Something put around the services or the controllers of every process. */
export const around = (planted: Planted): Plant => ({ is: 'around', ...planted });
