import { Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { type Decision, decide } from '../rules/engine.ts';
import type { Fact } from '../rules/fact.ts';
import type { AnyLifecycle, BaseFacts, Outside } from './lifecycle.ts';
import type { Seen } from './seen.ts';

export type AnyDecision = Decision<BaseFacts, string, string>;

/** A decision, and the facts it was made over: those observed, and those it had to ask for. */
export interface Decided {
  readonly decision: AnyDecision;
  readonly facts: BaseFacts;
  readonly asked: Readonly<Record<string, Fact<unknown>>>;
}

/** Decides, asking for one fact after the other as the rules come to need them. */
export const decideAsking = Effect.fnUntraced(function* (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  facts: BaseFacts,
  seen: Seen,
): Effect.fn.Return<Decided, never, Outside> {
  const state = lifecycle.read(object);
  const asked: Record<string, Fact<unknown>> = {};
  for (;;) {
    const known = { ...facts, ...asked };
    const decision = decide(lifecycle.rules, state, known);
    if (decision.is !== 'ask') return { decision, facts: known, asked };
    asked[decision.fact] = yield* lifecycle.ask(decision.fact, object, seen);
  }
});
