import type { AnyDecision, AskedFacts } from '../step/decide.ts';
import type { EnsureMemory } from '../contract/ensure.ts';
import type { BaseFacts } from '../contract/lifecycle.ts';
import type { PaceMemory } from './pace.ts';

/** Memory of one object between its passes; lost with the process and not needed for correctness. */
export interface Memory {
  readonly uid: string | undefined;
  readonly ensures: EnsureMemory;
  readonly paces: PaceMemory;
  /** The last decision of each machine, with its facts and time (ms). */
  readonly decided: Map<string, Decided>;
}

/** A decision, its facts, which of them were asked for, and its time. */
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
