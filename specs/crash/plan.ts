import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { World } from '../support/world.ts';

/** Something done from outside once its moment has come: by hand, or as a command that is repeated until answered. */
export interface Act {
  readonly when: (build: CoreBuild, world: World) => boolean;
  readonly hand?: (world: World, build: CoreBuild) => void;
  readonly command?: 'cancelAsked' | 'rebuildAsked' | 'pushed';
}

/** How the Job that was created as the n-th ends, some seconds after it was created. */
export type JobEnd =
  | { readonly is: 'pushes'; readonly by: 'message' | 'log' }
  | { readonly is: 'pushesNothing' }
  | { readonly is: 'fails' }
  | { readonly is: 'never' };

/** One life of a build, told from outside. */
export interface Path {
  readonly name: string;
  readonly given: (world: World) => void;
  readonly script: readonly Act[];
  readonly jobs: (index: number) => JobEnd;
  /** The phase in which it comes to rest. */
  readonly ends: 'Succeeded' | 'Failed' | 'Cancelled';
  /** How else it may end when it was disturbed, because the documents let it. */
  readonly mayEnd: readonly ((end: End) => Partial<End>)[];
}

/** What befalls the n-th write of the operator (Kubernetes Events do not count). */
export interface Blow {
  readonly at: number;
  /**
   * `dies`: the process ends before the write; `diesAfter`: after it was done, before its answer; `lost`: the write is
   * done and the answer lost, the process lives; `refused`: 503; `conflict`: 409, as if somebody had written between.
   */
  readonly is: 'dies' | 'diesAfter' | 'lost' | 'refused' | 'conflict';
}

/** A path, the blows that befall its processes one after the other, and how the world is made harder. */
export interface Plan {
  readonly path: Path;
  readonly blows: readonly Blow[];
  /** The cache of Jobs hears of nothing until time has moved on twice. */
  readonly lagging: boolean;
  /** A second operator runs over the same cluster, as when a lease had two holders. */
  readonly twins: boolean;
}

/** Where a plan ended: what two plans of a path must agree on, and what must never have been. */
export interface End {
  readonly build: Readonly<Record<string, unknown>>;
  readonly jobs: number;
  readonly stored: readonly string[];
  /** Writes of each process, the first one first. */
  readonly writes: readonly number[];
  /** Everything that must not be, in words. */
  readonly faults: readonly string[];
}
