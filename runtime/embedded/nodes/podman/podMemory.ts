import type { Overstay } from './overstays.ts';
import type { Held } from './status.ts';

/** What is remembered of a pod from one look to the next. */
export interface Memory {
  readonly held: Map<string, Held>;
  /** The runs that could not be started, by the id of their container: when, and why. */
  readonly unstarted: Map<string, { readonly at: number; readonly why: string }>;
  /** The containers that were asked to end. */
  readonly asked: Set<string>;
  /** Whether it was told that the pod is ended. */
  isEnding: boolean;
  /** Why the pod is ended, and when. */
  overstay: (Ending & { readonly why: Overstay }) | null;
}

/** When a pod was asked to end, and when what still runs of it is killed, in ms since the epoch. */
export interface Ending {
  readonly askedAt: number;
  readonly deadline: number;
}

export const newMemory = (): Memory => ({
  held: new Map(),
  unstarted: new Map(),
  asked: new Set(),
  isEnding: false,
  overstay: null,
});
