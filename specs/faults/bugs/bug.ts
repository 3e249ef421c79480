import type { Planted } from '../environment/planted.ts';
import type { Family } from './families.ts';

/** A function or an effect that a module of the product exports, and what a bug makes of it. */
export interface Replacement {
  readonly of: unknown;
  readonly name: string;
  readonly by: (original: never) => unknown;
  /** Another one that is planted with it. */
  readonly also?: Replacement;
}

/** How a bug is planted: around the product's services or controllers, or in place of one of its functions. */
export type Plant = ({ readonly is: 'around' } & Planted) | ({ readonly is: 'replaced' } & Replacement);

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

/** Replaces what a module of the product exports under a name, for all who use it and for the module itself. */
export const replaced = <Module extends object, Name extends keyof Module & string>(
  module: Module,
  name: Name,
  by: (original: Module[Name]) => Module[Name],
): { readonly is: 'replaced' } & Replacement => ({ is: 'replaced', of: module[name], name, by });

/** A replacement, and another one with it: two mistakes of which either hides the other. */
export const both = <First extends Replacement>(first: First, also: Replacement): First => ({ ...first, also });

/** Wraps the services or the controllers of every process. */
export const around = (planted: Planted): Plant => ({ is: 'around', ...planted });
