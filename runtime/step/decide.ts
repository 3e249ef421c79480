import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { Decision } from '../../rules/engine.ts';
import { answered, type Fact } from '../../rules/fact.ts';
import type { AnyLifecycle, BaseFacts, Moment, Occasion } from '../lifecycle.ts';
import type { Outside } from '../outside.ts';
import type { CacheReader } from '../cache/reader.ts';
import { stateOf } from './standing.ts';
import { step, type Stepped } from './step.ts';

export type AnyDecision = Decision<BaseFacts, string, string>;
export type AnyStepped = Stepped<BaseFacts, string, string>;
/** Facts that were asked for, by name. */
export type Asked = Readonly<Record<string, Fact<unknown>>>;

const inPass: Occasion = { asked: null, found: null };

/** What a lifecycle knows of an object at a moment, and on which occasion. */
export const observed = (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  reader: CacheReader,
  { occasion, ...moment }: Moment & { readonly occasion?: Occasion },
): BaseFacts => ({
  ...inPass,
  ...lifecycle.observe(object, reader, { ...moment, asked: occasion?.asked ?? null }),
  ...occasion,
});

/** A step, and the facts it was taken over, both observed and asked for. */
export interface Asking {
  readonly stepped: AnyStepped;
  readonly facts: BaseFacts;
  readonly asked: Asked;
}

/** Steps from a state and asks for one fact after another, as the rules need them. */
export const stepAsking = Effect.fnUntraced(function* (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  {
    facts: given,
    reader,
    asked: before = {},
    from: state = stateOf(lifecycle, object),
  }: {
    readonly facts: BaseFacts;
    readonly reader: CacheReader;
    readonly asked?: Asked;
    /** The state, where it is not that of the object: absence, before there is one. */
    readonly from?: string;
  },
): Effect.fn.Return<Asking, never, Outside> {
  const asked: Record<string, Fact<unknown>> = { ...before };
  for (;;) {
    const facts = answered(given, asked);
    const stepped = step(lifecycle, state, facts);
    const { decision } = stepped;
    if (decision.is !== 'ask') return { stepped, facts, asked };
    asked[decision.fact] = yield* lifecycle.ask(decision.fact, object, reader);
  }
});
