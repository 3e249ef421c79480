import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { apply } from '../step/apply.ts';
import type { PassContext } from '../contract/context.ts';
import { type AskedFacts, FactUnknown, observed, stepAsking } from '../step/decide.ts';
import { nextMoveAt } from '../step/history.ts';
import {
  type ActionFailed,
  type AnyLifecycle,
  type BaseFacts,
  machineKey,
  type ReconcileInput,
  type Others,
} from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import { machinesOn } from '../step/machinesOn.ts';
import type { Memory } from './memory.ts';
import { type Change, record } from '../write/record.ts';
import { soonest } from '../services/pause.ts';
import { Cluster, Conflict, type ReadError, type Resource, type WriteError } from '../services/cluster/cluster.ts';
import { isOver, isPaused, standing } from '../step/standing.ts';
import type { Move } from '../step/step.ts';
import { InvalidTransition } from '../step/invalidTransition.ts';
import type { Observed } from '../step/externalChange.ts';
import type { Controller } from '../contract/controller.ts';

/** One running pass: its controller, memory and context. */
export interface Run {
  readonly controller: Controller;
  readonly memory: Memory;
  readonly context: PassContext;
}

/** The progress of a pass over the machines of its object. */
export interface PassState extends Change {
  readonly now: number;
  /** The monotonic time (ms). */
  readonly monotonic: number;
  /** For each machine that was moved externally, its state before that. */
  readonly from: Readonly<Record<string, string>>;
  readonly others: Others;
  /** The facts that one machine asked for, shared with the others. */
  readonly asked: AskedFacts;
  /** The machines that claimed in this pass. */
  readonly claimed: readonly string[];
  /** Moves whose effects were done in this pass and are not repeated. */
  readonly acted: readonly string[];
  /** The last failed action, for which no move was found. */
  readonly failure: ActionFailed | null;
  /** The failure with which all machines decided once more; null for none. */
  readonly retriedFailure: ActionFailed | null;
  readonly requeueAfterMs: number | null;
}

/**
 * A fact could not be read, the table has no such move, or the cluster failed; a failed action becomes a fact instead.
 */
export type DecisionError = FactUnknown | InvalidTransition | WriteError;

/**
 * Lets every machine decide in turn, over the same facts and the states reached before it. When an action fails, all
 * decide once more over the stored object, with the failure as a fact. If one fails again, its move is left out.
 */
export const decideAll = Effect.fnUntraced(function* (
  run: Run,
  begun: PassState,
): Effect.fn.Return<PassState, DecisionError, Outside> {
  const passState = yield* decideOnce(run, begun, null);
  if (passState.failure === null) return passState;
  // What this pass moved and did not write yet is decided once more.
  const { synced, failure: retriedFailure } = passState;
  const others = standing(run.controller.lifecycles, synced);
  const again: PassState = {
    ...passState,
    working: synced,
    others,
    failure: null,
    retriedFailure,
    requeueAfterMs: null,
  };
  return yield* decideOnce(run, again, retriedFailure);
});

const decideOnce = Effect.fnUntraced(function* (
  run: Run,
  begun: PassState,
  failure: ActionFailed | null,
): Effect.fn.Return<PassState, DecisionError, Outside> {
  let passState = begun;
  for (const lifecycle of machinesOn(run.controller, begun.working)) {
    if (passState.failure !== null && failure === null) break;
    passState = yield* advance(run, lifecycle, passState, failure);
  }
  return passState;
});

/** Steps one machine: at most one move, after its claim. */
const advance = Effect.fnUntraced(function* (
  run: Run,
  lifecycle: AnyLifecycle,
  passState: PassState,
  failure: ActionFailed | null,
): Effect.fn.Return<PassState, DecisionError, Outside> {
  const { memory, context } = run;
  const { reader } = context;
  const key = machineKey(lifecycle);
  const { working } = passState;
  if (isOver(lifecycle, working)) return passState;
  if (lifecycle.item?.isWanted(working) === false) {
    memory.decided.delete(key);
    return passState;
  }
  const input = momentOf(lifecycle, passState, failure);
  const given = { facts: observed(lifecycle, working, reader, input), reader, asked: passState.asked };
  const { stepped, facts, asked } = yield* stepAsking(lifecycle, working, given);
  const { decision } = stepped;
  memory.decided.set(key, { decision, facts, asked, at: input.now });
  if (decision.is === 'unknown') return yield* new FactUnknown({ fact: decision.fact, message: decision.why });
  const informed = { ...passState, asked };
  if (stepped.is === 'undecided' || isPaused(working)) return informed;
  if (stepped.is === 'refused') return yield* new InvalidTransition(stepped.refusal);

  const { move } = stepped;
  const moved = apply(lifecycle, working, move, { by: 'operator', facts, reader });
  if (lifecycle.claims.includes(move.event) && !passState.claimed.includes(key)) {
    const next = yield* claim(run, lifecycle, { ...informed, working: moved });
    return yield* advance(run, lifecycle, next, failure);
  }
  const reached = {
    ...informed,
    working: moved,
    others: lifecycle.item ? passState.others : { ...passState.others, [key]: { state: move.to, event: move.event } },
    requeueAfterMs: soonest(passState.requeueAfterMs, move.requeueAfterMs),
  };
  return startsOutside(lifecycle, move) ? yield* perform(run, lifecycle, informed, { move, reached, facts }) : reached;
});

/** Writes the claim of a machine before any effect starts. */
export const claim = Effect.fnUntraced(function* (
  { controller, context }: Run,
  lifecycle: AnyLifecycle,
  passState: PassState,
): Effect.fn.Return<PassState, WriteError, Cluster> {
  const written = yield* record(controller.resource, passState, context);
  return {
    ...passState,
    stored: written,
    synced: written,
    working: written,
    claimed: [...passState.claimed, machineKey(lifecycle)],
  };
});

/** A move, the state of the pass after it, and the facts of its decision. */
interface Performing {
  readonly move: Move;
  readonly reached: PassState;
  readonly facts: BaseFacts;
}

/** Runs the effects of a move before its state is written; when one fails, the move is left out. */
export const perform = Effect.fnUntraced(function* (
  { controller, context: { reader } }: Run,
  lifecycle: AnyLifecycle,
  passState: PassState,
  { move, reached, facts }: Performing,
): Effect.fn.Return<PassState, DecisionError, Outside> {
  const { stored, working, claimed, acted } = passState;
  const attempt = `${machineKey(lifecycle)} ${move.event}`;
  if (acted.includes(attempt)) return reached;
  // No effect starts over a stale object. A claim of this pass was itself written over the stored version.
  if (!claimed.includes(machineKey(lifecycle))) yield* stillStored(controller.resource, stored);
  const failure = yield* act(lifecycle, working, move, { facts, reader });
  return failure === null ? { ...reached, acted: [...acted, attempt] } : { ...passState, failure };
});

const momentOf = (
  lifecycle: AnyLifecycle,
  { now, monotonic, from, others, claimed }: PassState,
  failure: ActionFailed | null,
): ReconcileInput => ({
  now,
  monotonic,
  resetFrom: from[machineKey(lifecycle)] ?? null,
  others,
  failure,
  ...(claimed.includes(machineKey(lifecycle)) ? { claimed: true } : {}),
});

const startsOutside = (lifecycle: AnyLifecycle, { actions }: Move): boolean =>
  actions.some((action) => lifecycle.actions[action]?.effect !== undefined);

/** Fails when the stored object is not the version that was read. */
const stillStored = Effect.fnUntraced(function* (
  resource: Resource,
  { metadata: { name, resourceVersion } }: KubeObject,
): Effect.fn.Return<void, ReadError | Conflict, Cluster> {
  const cluster = yield* Cluster;
  const found = yield* cluster.get(resource, { name });
  if (found.metadata.resourceVersion !== resourceVersion) return yield* new Conflict({ what: name });
});

/** Runs the effects of a move in order; stops at the first failure. */
export const act = Effect.fnUntraced(function* (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  move: Move,
  { facts, reader }: Observed,
): Effect.fn.Return<ActionFailed | null, never, Outside> {
  for (const action of move.actions) {
    const effect = lifecycle.actions[action]?.effect;
    if (!effect) continue;
    const failure = yield* effect({ object, facts, reader, text: '', at: nextMoveAt(object, facts.now) }).pipe(
      Effect.as(null),
      Effect.catch((actionFailed) => Effect.succeed(actionFailed)),
    );
    if (failure !== null) return failure;
  }
  return null;
});
