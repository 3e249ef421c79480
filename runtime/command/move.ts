import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import { apply } from '../step/apply.ts';
import { sharing } from '../cache/sharing.ts';
import type { PassContext } from '../contract/context.ts';
import { caughtUp } from '../step/catchUp.ts';
import { observed, stepAsking } from '../step/decide.ts';
import { enter } from '../write/enter.ts';
import { confirmMove, patiently } from './confirm.ts';
import { historyOf } from '../step/history.ts';
import { beginLife } from '../write/life.ts';
import { machineKey } from '../contract/lifecycle.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { type Change, recordObject, recordStatus } from '../write/record.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Outside } from '../services/outside.ts';
import { Away, Cluster, isPassing, type WriteError } from '../services/cluster/cluster.ts';
import { knowsEnd, standing } from '../step/standing.ts';
import { objectPatch, withStatus, withStatusOf } from '../step/status.ts';
import { type Command, NoAnswer } from '../contract/command.ts';
import type { Controller, Deriving, Instance } from '../contract/controller.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** A command that depends on what is stored, which is read again with every try; null for nothing to do. */
export interface Following {
  readonly follow: (stored: KubeObject) => Command['asked'] | null;
  readonly by: string;
}

/** Who moves what rules find on the way to an answer: nobody asked for that. */
export const finder = 'operator';

const tries = 5;
/** More moves than this before a command is answered are a mistake in a table. */
const mostSteps = 10;
/** The client has given up by then and may have asked for something else: an old command is not carried out late. */
export const patienceMs = 10_000;

/**
 * One command on one instance: load, step, save over the version that was read. What rules find is entered first, then
 * the rules that answer the command decide what it means here. It writes the state and leaves every effect to the pass.
 * A conflict makes it read and decide again; once a state outside the status is written, only the move is left to
 * enter. A write whose answer is lost is read back, and is done where the move is stored.
 */
export const move = Effect.fnUntraced(function* (
  instance: Instance,
  command: Command | Following,
  context: PassContext,
): Effect.fn.Return<KubeObject, NoAnswer | WriteError, Outside> {
  const { controller } = instance;
  const until = (yield* monotonicMs) + patienceMs;
  // What is known not to be stored may be sent once more.
  const { written, working, own, isReadBack } = yield* Effect.retry(
    retried(carryOut(instance, command, context), until),
    { times: 1, while: ({ _tag }) => Effect.map(monotonicMs, (now) => _tag === 'Away' && now < until) },
  );
  if (own === null) return written;
  const entering = patiently(retried(enter(controller, written, own, context), until));
  // What is read back may have gone on since.
  if (isReadBack) return yield* entering;
  return yield* recordStatus(controller.resource, written, withStatusOf(written, working), context).pipe(
    Effect.catchTag(['Conflict', 'Away'], () => entering),
  );
});

/** Tries again after a conflict, up to a deadline. */
export const retried = <A, E extends { readonly _tag: string; readonly isAnother?: true }, R>(
  tried: Effect.Effect<A, E, R>,
  until: number,
) =>
  Effect.retry(tried, {
    times: tries - 1,
    while: (error) => Effect.map(monotonicMs, (now) => isPassing(error) && now < until),
  });

interface CarriedOut {
  readonly written: KubeObject;
  readonly working: KubeObject;
  /** The move that is still to be entered; null where it was written with its state. */
  readonly own: HistoryEntry | null;
  /** Whether the answer to the write was lost, so that `written` was read after it. */
  readonly isReadBack: boolean;
}

/** Decides what a command means and writes it, except for the entry of a state that is kept in the object. */
const carryOut = Effect.fnUntraced(function* (
  instance: Instance,
  given: Command | Following,
  context: PassContext,
): Effect.fn.Return<CarriedOut, NoAnswer | WriteError, Outside> {
  const { controller, lifecycle } = instance;
  const { resource } = controller;
  const { reader } = context;
  const stored = yield* load(instance, context);
  const command = commandOver(stored, given);
  if (command === null) return { written: stored, working: stored, own: null, isReadBack: false };
  const now = yield* Clock.currentTimeMillis;
  const { object, from } = caughtUp(machinesOn(controller, stored), stored, { now, reader });
  const answered = yield* answer(instance, object, {
    command,
    now,
    resetFrom: from[machineKey(lifecycle)] ?? null,
    reader,
  });
  const working = derived(controller, answered.working, { reader, now: isoTime(now) });
  const isInObject = objectPatch(stored, working) !== null;
  const write = isInObject
    ? recordObject(resource, { stored, ...answered, working }, context)
    : recordStatus(resource, stored, working, context);
  const sent = yield* write.pipe(
    Effect.map((written) => ({ written, isReadBack: false })),
    Effect.catchTag('Away', (lost) =>
      Effect.map(confirmMove({ controller, stored, working }, lost, context), (written) => ({
        written,
        isReadBack: true,
      })),
    ),
  );
  return { ...sent, working, own: isInObject ? (historyOf(working).at(-1) ?? null) : null };
});

function commandOver(stored: KubeObject, given: Command | Following): Command | null {
  if ('asked' in given) return given;
  const asked = given.follow(stored);
  return asked === null ? null : { asked, by: given.by };
}

/** The object that a command is decided over, as it is stored and not as it is cached. */
export const load = Effect.fnUntraced(function* (
  { controller, name }: Instance,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const stored = yield* cluster.get(controller.resource, { name });
  const known = context.reader.get(controller.resource, name);
  return yield* beginLife(controller, sharing(stored, known), context);
});

/** What follows from the reached state is written at once, and not only by the next pass. */
export function derived(
  controller: Controller,
  object: KubeObject,
  { reader, now }: Pick<Deriving, 'reader' | 'now'>,
): KubeObject {
  return withStatus(object, controller.derive?.(object, { reader, now, failures: new Map(), failure: null }) ?? {});
}

interface Answering {
  readonly command: Command;
  readonly now: number;
  readonly resetFrom: string | null;
  readonly reader: CacheReader;
}

/** The object after the command: first the moves that rules find, one by one, then the move that answers it. */
const answer = Effect.fnUntraced(function* (
  { controller, lifecycle, name }: Instance,
  object: KubeObject,
  { command: { asked, by }, now, resetFrom, reader }: Answering,
): Effect.fn.Return<Pick<Change, 'caughtUp' | 'working'>, NoAnswer | Away, Outside> {
  const refusal = (stands: KubeObject, says: string) =>
    new NoAnswer({
      machine: lifecycle.name,
      name,
      command: nameOf(asked),
      isDeleting: isDeleting(stands),
      says,
    });
  let found = object;
  const isRefused = isDeleting(object) && !knowsEnd(lifecycle);
  for (let steps = 0; steps < mostSteps && !isRefused; steps++) {
    const others = standing(controller.lifecycles, found);
    const moment = { now, resetFrom, others, failure: null, occasion: { asked, found: null } };
    const given = observed(lifecycle, found, reader, moment);
    const { stepped, facts } = yield* stepAsking(lifecycle, found, { facts: given, reader });
    // What could not be read is no answer to the command, which may be given again.
    if (stepped.decision.is === 'unknown') return yield* new Away({ why: stepped.decision.why });
    if (stepped.is !== 'moved' || stepped.decision.is !== 'event') break;
    const { refuses, answers } = stepped.decision.rule;
    if (refuses) return yield* refusal(found, stepped.move.text);
    const moved = apply(lifecycle, found, stepped.move, { by: answers === undefined ? finder : by, facts, reader });
    if (answers !== undefined) return { caughtUp: found, working: moved };
    found = moved;
  }
  return yield* refusal(found, '');
});

export const nameOf = (asked: Command['asked']): string => (typeof asked === 'string' ? asked : asked.is);
