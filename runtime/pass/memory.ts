import type { AnyDecision, AskedFacts } from '../step/decide.ts';
import type { EnsureMemory } from '../contract/ensure.ts';
import type { BaseFacts } from '../contract/lifecycle.ts';
import type { PaceMemory } from './pace.ts';

/** What is kept of one life of an object between its passes; lost with the process, and not needed for correctness. */
export interface Memory {
  readonly uid: string | undefined;
  readonly ensures: EnsureMemory;
  readonly paces: PaceMemory;
  /** What the last pass of each machine decided, over which facts, at which time (ms). */
  readonly decided: Map<string, Decided>;
}

/** A decision, its facts, which of them had to be asked for, and when. */
interface Decided {
  readonly decision: AnyDecision;
  readonly facts: BaseFacts;
  readonly asked: AskedFacts;
  readonly at: number;
}

export const freshMemory = (uid?: string): Memory => ({
  uid,
  ensures: new Map(),
  paces: new Map(),
  decided: new Map(),
});
