import { Clock, Data, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { annotation } from '../crds/names.ts';
import { isoTime } from '../rules/time.ts';
import { adopted } from './adopt.ts';
import { apply } from './apply.ts';
import type { Around } from './around.ts';
import { type AnyDecision, type Asked, observed, stepAsking } from './decide.ts';
import { ensureAll, type EnsureMemory } from './ensure.ts';
import type { PaceMemory } from './pace.ts';
import { finalize } from './finalize.ts';
import { historyOf, nextMoveAt } from './history.ts';
import type { ActionFailed, AnyLifecycle, BaseFacts, Controller, EnsureError, Moment, Outside } from './lifecycle.ts';
import { record } from './record.ts';
import { Cluster, Conflict, type ReadError, type Resource } from './services/cluster.ts';
import { withStatus } from './status.ts';
import type { Move, OutsideTable } from './step.ts';
import { movedFrom, type Observed, takeUp } from './takeUp.ts';

/** A fact could not be read: nothing was decided. */
export class FactUnknown extends Data.TaggedError('FactUnknown')<{ readonly fact: string; readonly why: string }> {}

export type PassError = EnsureError | FactUnknown | ActionFailed | OutsideTable;

/** What is kept of one object between its passes; lost with the process, and right without it. */
export interface Memory {
  readonly ensures: EnsureMemory;
  readonly paces: PaceMemory;
  /** What the last pass of each machine decided, over which facts, at which time (ms). */
  readonly decided: Map<string, Decided>;
}

/** A decision, the facts it was made over, those of them that had to be asked for, and when. */
interface Decided {
  readonly decision: AnyDecision;
  readonly facts: BaseFacts;
  readonly asked: Asked;
  readonly at: number;
}

export const freshMemory = (): Memory => ({ ensures: new Map(), paces: new Map(), decided: new Map() });

export interface Passed {
  readonly object: KubeObject;
  readonly moves: readonly HistoryEntry[];
  /** In how many ms to look again, null for never. */
  readonly lookInMs: number | null;
}

/** One pass under way: whose, and what it may use. */
interface Run {
  readonly controller: Controller;
  readonly memory: Memory;
  readonly around: Around;
}

/** How far a pass has come: what is stored, what is to be recorded, when to look again. */
interface Course {
  readonly stored: KubeObject;
  readonly working: KubeObject;
  readonly lookInMs: number | null;
}

export const isPaused = (object: KubeObject): boolean => object.metadata.annotations?.[annotation.paused] === 'true';

const soonest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));

/**
 * One level-triggered pass over one object: adopt, observe, decide, move, claim, act, record once, ensure, look. It may
 * stop after any single effect and be run again, here or on another replica, and ends in the same state. A paused object
 * is looked at and not moved.
 */
export const pass = Effect.fnUntraced(function* (
  controller: Controller,
  given: KubeObject,
  memory: Memory,
  around: Around,
): Effect.fn.Return<Passed, PassError, Outside> {
  const run = { controller, memory, around };
  const { seen } = around;
  const finalized = yield* finalize(controller, given, around);
  if (finalized !== null) return { object: given, moves: [], lookInMs: finalized.lookInMs };
  const object = isPaused(given) ? given : yield* adopted(controller, given, around);

  let course: Course = { stored: object, working: object, lookInMs: null };
  for (const lifecycle of controller.lifecycles)
    course = yield* advance(run, lifecycle, course).pipe(
      // What the state demands may be what the action needs: a Job of another run goes, then ours can come.
      Effect.tapErrorTag('ActionFailed', () => ensureAll(controller, object, { moves: [], memory, around })),
    );
  if (isPaused(object)) return { object, moves: [], lookInMs: null };

  const now = isoTime(yield* Clock.currentTimeMillis);
  const deriving = { seen, now, failures: memory.ensures };
  const derived = controller.derive?.(course.working, deriving) ?? {};
  // ONE write for all machines of the object.
  const stored = yield* record(controller.resource, course.stored, withStatus(course.working, derived), around);
  const moves = movesSince(object, stored);
  const ensured = yield* ensureAll(controller, stored, { moves, memory, around });
  const lookInMs = readsElsewhere(controller, stored) ? 0 : soonest(course.lookInMs, ensured);
  return { object: stored, moves, lookInMs };
});

/** What was written reads as another state than it was moved to, beside a field that others wrote: taken up at once. */
const readsElsewhere = ({ lifecycles }: Controller, object: KubeObject): boolean =>
  lifecycles.some((lifecycle) => movedFrom(lifecycle, object) !== null);

const movesSince = (before: KubeObject, after: KubeObject): readonly HistoryEntry[] => {
  const last = historyOf(before).at(-1)?.seq ?? 0;
  return historyOf(after).filter(({ seq }) => seq > last);
};

/** One machine's part of a pass: what was done from outside is taken up, then at most one move, after its claim. */
const advance = Effect.fnUntraced(function* (
  run: Run,
  lifecycle: AnyLifecycle,
  course: Course,
): Effect.fn.Return<Course, PassError, Outside> {
  const { seen, strange } = run.around;
  const now = yield* Clock.currentTimeMillis;
  const resetFrom = movedFrom(lifecycle, course.working);
  const first: Attempt = { moment: { now, resetFrom, failure: null }, asked: {}, failed: [] };
  if (resetFrom === null || isPaused(course.working)) return yield* proceed(run, lifecycle, course, first);
  const taken = takeUp(lifecycle, course.working, { from: resetFrom, now, seen });
  if (taken.strange) strange(taken.object, taken.strange);
  return yield* proceed(run, lifecycle, { ...course, working: taken.object }, first);
});

/** One try at a move: again after a claim, and once more over the failure of what had to be done first. */
interface Attempt {
  readonly moment: Moment;
  readonly asked: Asked;
  /** Events whose actions failed in this pass. */
  readonly failed: readonly string[];
}

const proceed = Effect.fnUntraced(function* (
  run: Run,
  lifecycle: AnyLifecycle,
  course: Course,
  attempt: Attempt,
): Effect.fn.Return<Course, PassError, Outside> {
  const { controller, memory, around } = run;
  const { seen } = around;
  const { stored, working } = course;
  const { moment, failed } = attempt;
  const given = { facts: observed(lifecycle, working, seen, moment), seen, asked: attempt.asked };
  const { stepped, facts, asked } = yield* stepAsking(lifecycle, working, given);
  const { decision } = stepped;
  memory.decided.set(lifecycle.name, { decision, facts, asked, at: moment.now });
  if (decision.is === 'unknown') return yield* new FactUnknown({ fact: decision.fact, why: decision.why });
  if (stepped.is === 'undecided' || isPaused(working)) return course;
  if (stepped.is === 'refused') return yield* stepped.refusal;

  const { move } = stepped;
  const moved = apply(lifecycle, working, move, { by: 'operator', facts, seen });
  if (lifecycle.claims.includes(move.event)) {
    const claimed = yield* record(controller.resource, stored, moved, around);
    const next = { ...course, stored: claimed, working: claimed };
    return yield* proceed(run, lifecycle, next, { ...attempt, asked, moment: { ...moment, claimed: true } });
  }
  // Nothing is started outside over an old view. What this pass has just claimed, it wrote over the stored object.
  if (moment.claimed !== true && startsOutside(lifecycle, move)) yield* stillStored(controller.resource, stored);
  const failure = yield* act(lifecycle, working, move, { facts, seen });
  if (failure === null) return { stored, working: moved, lookInMs: soonest(course.lookInMs, move.lookInMs) };

  // The failure is a fact; what is decided over it is recorded instead, unless that would do the same again.
  if (failed.includes(move.event)) return yield* failure;
  const again = { asked, failed: [...failed, move.event], moment: { ...moment, failure } };
  return yield* proceed(run, lifecycle, course, again);
});

const startsOutside = ({ acts }: AnyLifecycle, { actions }: Move): boolean =>
  actions.some((action) => acts[action] !== undefined);

/** Fails where the stored object is not the one that was seen. */
const stillStored = Effect.fnUntraced(function* (
  resource: Resource,
  { metadata: { name, resourceVersion } }: KubeObject,
): Effect.fn.Return<void, ReadError | Conflict, Cluster> {
  const cluster = yield* Cluster;
  const found = yield* cluster.get(resource, { name });
  if (found.metadata.resourceVersion !== resourceVersion) return yield* new Conflict({ what: name });
});

/** Does what must be done before the state may be written; the first failure ends it. */
const act = Effect.fnUntraced(function* (
  lifecycle: AnyLifecycle,
  object: KubeObject,
  move: Move,
  { facts, seen }: Observed,
): Effect.fn.Return<ActionFailed | null, never, Outside> {
  for (const action of move.actions) {
    const perform = lifecycle.acts[action];
    if (!perform) continue;
    const failure = yield* perform({ object, facts, seen, text: '', at: nextMoveAt(object, facts.now) }).pipe(
      Effect.as(null),
      Effect.catch((actionFailed) => Effect.succeed(actionFailed)),
    );
    if (failure !== null) return failure;
  }
  return null;
});
