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
  type Moment,
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
import { OutsideTable } from '../step/outsideTable.ts';
import type { Observed } from '../step/externalChange.ts';
import type { Controller } from '../contract/controller.ts';

/** One running pass: its controller, memory and context. */
export interface Run {
  readonly controller: Controller;
  readonly memory: Memory;
  readonly context: PassContext;
}

/** How far a pass has come with the machines of its object. */
export interface Course extends Change {
  readonly now: number;
  /** By the monotonic clock (ms). */
  readonly monotonic: number;
  /** For each machine that was moved externally, the state it was moved away from. */
  readonly from: Readonly<Record<string, string>>;
  readonly others: Others;
  /** The facts that one machine asked for, shared with the others. */
  readonly asked: AskedFacts;
  /** Machines that claimed in this pass. */
  readonly claimed: readonly string[];
  /** What was done outside for a move in this pass, and is not done again. */
  readonly acted: readonly string[];
  /** The action that failed last, for which no move was found. */
  readonly failed: ActionFailed | null;
  /** The failure over which all machines decided once more; null where there was none. */
  readonly over: ActionFailed | null;
  readonly requeueAfterMs: number | null;
}

/** A fact could not be read, the table has no such move, or the cluster failed; a failed action is decided upon. */
export type CourseError = FactUnknown | OutsideTable | WriteError;

/**
 * Every machine of the object decides in turn, over the same facts and the states that those before it reached. When an
 * action fails, all decide once more over what is stored, with the failure as a fact. Where one fails again, its move
 * is left out, and the course consists of the others.
 */
export const decideAll = Effect.fnUntraced(function* (
  run: Run,
  begun: Course,
): Effect.fn.Return<Course, CourseError, Outside> {
  const course = yield* decideOnce(run, begun, null);
  if (course.failed === null) return course;
  const { stored, claimed } = course;
  const object = claimed.length > 0 ? stored : begun.synced;
  const others = standing(run.controller.lifecycles, object);
  const over = course.failed;
  const again = { ...course, caughtUp: object, working: object, others, failed: null, over, requeueAfterMs: null };
  return yield* decideOnce(run, again, over);
});

const decideOnce = Effect.fnUntraced(function* (
  run: Run,
  begun: Course,
  failure: ActionFailed | null,
): Effect.fn.Return<Course, CourseError, Outside> {
  let course = begun;
  for (const lifecycle of machinesOn(run.controller, begun.working)) {
    if (course.failed !== null && failure === null) break;
    course = yield* advance(run, lifecycle, course, failure);
  }
  return course;
});

/** The part of one machine: at most one move, after its claim. */
const advance = Effect.fnUntraced(function* (
  run: Run,
  lifecycle: AnyLifecycle,
  course: Course,
  failure: ActionFailed | null,
): Effect.fn.Return<Course, CourseError, Outside> {
  const { memory, context } = run;
  const { reader } = context;
  const key = machineKey(lifecycle);
  const { working } = course;
  if (isOver(lifecycle, working)) return course;
  if (lifecycle.item?.isWanted(working) === false) {
    memory.decided.delete(key);
    return course;
  }
  const moment = momentOf(lifecycle, course, failure);
  const given = { facts: observed(lifecycle, working, reader, moment), reader, asked: course.asked };
  const { stepped, facts, asked } = yield* stepAsking(lifecycle, working, given);
  const { decision } = stepped;
  memory.decided.set(key, { decision, facts, asked, at: moment.now });
  if (decision.is === 'unknown') return yield* new FactUnknown({ fact: decision.fact, why: decision.why });
  const informed = { ...course, asked };
  if (stepped.is === 'undecided' || isPaused(working)) return informed;
  if (stepped.is === 'refused') return yield* new OutsideTable(stepped.refusal);

  const { move } = stepped;
  const moved = apply(lifecycle, working, move, { by: 'operator', facts, reader });
  if (lifecycle.claims.includes(move.event) && !course.claimed.includes(key)) {
    const next = yield* claim(run, lifecycle, { ...informed, working: moved });
    return yield* advance(run, lifecycle, next, failure);
  }
  const reached = {
    ...informed,
    working: moved,
    others: lifecycle.item ? course.others : { ...course.others, [key]: { state: move.to, event: move.event } },
    requeueAfterMs: soonest(course.requeueAfterMs, move.requeueAfterMs),
  };
  return startsOutside(lifecycle, move) ? yield* perform(run, lifecycle, informed, { move, reached, facts }) : reached;
});

/** Writes the claim of a machine, before anything is started outside. */
export const claim = Effect.fnUntraced(function* (
  { controller, context }: Run,
  lifecycle: AnyLifecycle,
  course: Course,
): Effect.fn.Return<Course, WriteError, Cluster> {
  const written = yield* record(controller.resource, course, context);
  return {
    ...course,
    stored: written,
    synced: written,
    working: written,
    claimed: [...course.claimed, machineKey(lifecycle)],
  };
});

/** A move, where the course comes to by it, and the facts over which it was decided. */
interface Performing {
  readonly move: Move;
  readonly reached: Course;
  readonly facts: BaseFacts;
}

/** Starts outside what a move demands, before its state is written. When that fails, the move is left out. */
export const perform = Effect.fnUntraced(function* (
  { controller, context: { reader } }: Run,
  lifecycle: AnyLifecycle,
  course: Course,
  { move, reached, facts }: Performing,
): Effect.fn.Return<Course, CourseError, Outside> {
  const { stored, working, claimed, acted } = course;
  const attempt = `${machineKey(lifecycle)} ${move.event}`;
  if (acted.includes(attempt)) return reached;
  // Nothing is started outside over an old view. A claim of this pass was itself written over the stored object.
  if (!claimed.includes(machineKey(lifecycle))) yield* stillStored(controller.resource, stored);
  const failed = yield* act(lifecycle, working, move, { facts, reader });
  return failed === null ? { ...reached, acted: [...acted, attempt] } : { ...course, failed };
});

const momentOf = (
  lifecycle: AnyLifecycle,
  { now, monotonic, from, others, claimed }: Course,
  failure: ActionFailed | null,
): Moment => ({
  now,
  monotonic,
  resetFrom: from[machineKey(lifecycle)] ?? null,
  others,
  failure,
  ...(claimed.includes(machineKey(lifecycle)) ? { claimed: true } : {}),
});

const startsOutside = (lifecycle: AnyLifecycle, { actions }: Move): boolean =>
  actions.some((action) => lifecycle.actions[action]?.effect !== undefined);

/** Fails where the stored object is not the version that was read. */
const stillStored = Effect.fnUntraced(function* (
  resource: Resource,
  { metadata: { name, resourceVersion } }: KubeObject,
): Effect.fn.Return<void, ReadError | Conflict, Cluster> {
  const cluster = yield* Cluster;
  const found = yield* cluster.get(resource, { name });
  if (found.metadata.resourceVersion !== resourceVersion) return yield* new Conflict({ what: name });
});

/** Does what must be done before the state may be written; stops at the first failure. */
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
