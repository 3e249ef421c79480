import { Data, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Decision } from '../../rules/engine.ts';
import { answered, type Fact } from '../../rules/fact.ts';
import type { AnyLifecycle, BaseFacts, ReconcileInput, Trigger } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import type { CacheReader } from '../cache/reader.ts';
import { stateOf } from './standing.ts';
import { step, type Stepped } from './step.ts';

export type AnyDecision = Decision<BaseFacts, string, string>;
type AnyStepped = Stepped<BaseFacts, string, string>;
/** Facts that were asked for, by name. */
export type AskedFacts = Readonly<Record<string, Fact<unknown>>>;

/** Gathers the facts of a lifecycle, and what triggered the decision. */
export const observed = (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  reader: CacheReader,
  { trigger, ...input }: ReconcileInput & { readonly trigger?: Trigger },
): BaseFacts & Trigger => {
  const seen: BaseFacts & Partial<Trigger> = lifecycle.observe(object, reader, {
    ...input,
    asked: trigger?.asked ?? null,
  });
  const { asked = null, found = null } = trigger ?? seen;
  // First, because a spread after other fields takes many times as long.
  return { ...seen, asked, found };
};

/** A step with its facts, observed and asked for. */
export interface Asking {
  readonly stepped: AnyStepped;
  readonly facts: BaseFacts;
  readonly asked: AskedFacts;
}

/** The state to step from, and the known facts. */
interface StepOptions {
  readonly facts: BaseFacts;
  readonly reader: CacheReader;
  readonly asked?: AskedFacts;
  /** Overrides the state of the object. */
  readonly state?: string;
}

/** Steps from a state, asking for one fact after another as the rules need them; most steps need none. */
export function stepAsking(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  given: StepOptions,
): Effect.Effect<Asking, never, Outside> {
  const stepping = { ...given, state: given.state ?? stateOf(lifecycle, object) };
  const first = stepOver(lifecycle, stepping, given.asked ?? {});
  return first.stepped.decision.is === 'ask' ? askingOn(lifecycle, object, stepping, first) : Effect.succeed(first);
}

function stepOver(
  lifecycle: AnyLifecycle,
  { facts: given, state }: StepOptions & { readonly state: string },
  asked: AskedFacts,
): Asking {
  const facts = answered(given, asked);
  return { stepped: step(lifecycle, state, facts), facts, asked };
}

const askingOn = Effect.fnUntraced(function* (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  given: StepOptions & { readonly state: string },
  first: Asking,
): Effect.fn.Return<Asking, never, Outside> {
  let asking = first;
  for (;;) {
    const { decision } = asking.stepped;
    if (decision.is !== 'ask') return asking;
    const found = yield* lifecycle.ask(decision.fact, object, given.reader);
    asking = stepOver(lifecycle, given, { ...asking.asked, [decision.fact]: found });
  }
});

/** A fact could not be read, so nothing was decided. */
export class FactUnknown extends Data.TaggedError('FactUnknown')<{ readonly fact: string; readonly message: string }> {}
