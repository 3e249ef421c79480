import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { isoTime } from '../../rules/time.ts';
import { sharing } from '../cache/sharing.ts';
import { type Command, CommandRejected } from '../contract/command.ts';
import type { PassContext } from '../contract/context.ts';
import { type Controller, type Deriving, derivingNow, type Instance } from '../contract/controller.ts';
import { type AnyLifecycle, machineKey } from '../contract/lifecycle.ts';
import { Unavailable, Cluster, NotFound, type WriteError } from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { Outside } from '../services/outside.ts';
import { syncHistory } from '../step/catchUp.ts';
import type { FactUnknown } from '../step/decide.ts';
import { historyOf } from '../step/history.ts';
import { machinesOn } from '../step/machinesOn.ts';
import type { InvalidTransition } from '../step/invalidTransition.ts';
import { stateOf } from '../step/standing.ts';
import { derived } from '../step/derive.ts';
import { objectPatch, withStatusOf } from '../step/status.ts';
import { absent } from '../step/step.ts';
import { enter } from '../write/enter.ts';
import { beginLife } from '../write/life.ts';
import { recordObject, recordStatus } from '../write/record.ts';
import { confirmMove, patiently } from './confirm.ts';
import { type Answer, decideCommand } from './decideCommand.ts';
import { deadline, retryConflicts } from '../services/cluster/retryConflicts.ts';

/** A command computed from the stored object, which is read again with every try; null for none. */
export interface ConditionalCommand {
  readonly follow: (stored: KubeObject) => Command['asked'] | null;
  readonly by: string;
}

/** The result of a command. */
export interface Decided {
  /** Whether a rule answered it, refused it, or none did; `nothing` when a conditional command was null. */
  readonly is: Answer['is'] | 'nothing';
  /** The event that the rules named; null when no rule answers in this state. */
  readonly event: string | null;
  readonly state: string;
  readonly text: string;
  /** The object after it; null when there is none. */
  readonly object: KubeObject | null;
  /** The new entries of its history, oldest first. */
  readonly moves: readonly HistoryEntry[];
}

/** Whether a missing object fails the command with NotFound, or the rules decide. */
export type IfAbsent = 'fail' | 'decide';

/** A needed fact could not be read, the table has no such move, or the cluster failed. */
export type Undecided = WriteError | FactUnknown | InvalidTransition;

/**
 * Runs one command on one instance: load, decide, write over the version that was read, confirm. Moves that rules find
 * are entered first, then the rules that answer the command decide. It writes the state and leaves every effect to the
 * pass. After a conflict it reads and decides again; once a state outside the status is written, only its move remains
 * to be entered. When the response to a write is lost, it reads back whether the move is stored.
 */
export const command = Effect.fnUntraced(function* (
  instance: Instance,
  given: Command | ConditionalCommand,
  context: PassContext,
  ifAbsent: IfAbsent = 'fail',
): Effect.fn.Return<Decided, Undecided, Outside> {
  const until = yield* deadline;
  // A write that is known not to be stored may be sent once more.
  const carriedOut = yield* Effect.retry(retryConflicts(carryOut(instance, given, context, ifAbsent), until), {
    times: 1,
    while: ({ _tag }) => Effect.map(monotonicMs, (now) => _tag === 'Unavailable' && now < until),
  });
  const { decided, sent } = carriedOut;
  if (sent === null) return decided;
  const entered = yield* enterMove(instance, { sent, until }, context);
  return { ...decided, object: entered, moves: movesSince(sent.stored, entered) };
});

/** A command after its first write. */
interface CarriedOut {
  readonly decided: Decided;
  /** The move still to enter for a state stored in the object; null when all is written. */
  readonly sent: Sent | null;
}

interface Sent {
  readonly stored: KubeObject;
  readonly written: KubeObject;
  readonly working: KubeObject;
  readonly own: HistoryEntry;
  /** Whether the response to the write was lost, so that `written` was read after it. */
  readonly isReadBack: boolean;
}

/** Decides a command and writes the result, except the history entry of a state stored in the object. */
const carryOut = Effect.fnUntraced(function* (
  instance: Instance,
  given: Command | ConditionalCommand,
  context: PassContext,
  ifAbsent: IfAbsent,
): Effect.fn.Return<CarriedOut, Undecided, Outside> {
  const { controller, lifecycle, name } = instance;
  const { reader } = context;
  const loading = load(instance, context);
  const stored = yield* ifAbsent === 'fail' ? loading : nullWhereNone(loading);
  const now = yield* Clock.currentTimeMillis;
  if (stored === null) {
    const missing: KubeObject = { metadata: { name } };
    const asked = commandOver(missing, given);
    if (asked === null) return carriedOut({ is: 'nothing' }, lifecycle, null, []);
    const answer = yield* decideCommand(instance, missing, { command: asked, now, reader, isAbsent: true });
    return carriedOut(answer, lifecycle, null, []);
  }
  const asked = commandOver(stored, given);
  if (asked === null) return carriedOut({ is: 'nothing' }, lifecycle, stored, []);
  const { object, from } = syncHistory(machinesOn(controller, stored), stored, { now, reader });
  const resetFrom = from[machineKey(lifecycle)] ?? null;
  const answer = yield* decideCommand(instance, object, { command: asked, now, reader, resetFrom });
  const { found, moved } = answer.is === 'answered' ? answer : withoutAnswer(lifecycle, stored, answer);
  if (moved === stored) return carriedOut(answer, lifecycle, answer.moved, []);
  const working = derivedNow(controller, moved, { reader, now: isoTime(now) });
  const isInObject = objectPatch(stored, working) !== null;
  const write = isInObject
    ? recordObject(controller.resource, { stored, synced: found, working }, context)
    : recordStatus(controller.resource, stored, working, context);
  const { written, isReadBack } = yield* write.pipe(
    Effect.map((done) => ({ written: done, isReadBack: false })),
    Effect.catchTag('Unavailable', (lost) =>
      Effect.map(confirmMove({ controller, stored, working }, lost, context), (done) => ({
        written: done,
        isReadBack: true,
      })),
    ),
  );
  const own = historyOf(working).at(-1);
  const sent = isInObject && own !== undefined ? { stored, written, working, own, isReadBack } : null;
  return { ...carriedOut(answer, lifecycle, written, movesSince(stored, written)), sent };
});

const carriedOut = (
  answer: Pick<Decided, 'is'> & Partial<Pick<Decided, 'event' | 'text'>>,
  lifecycle: AnyLifecycle,
  object: KubeObject | null,
  moves: readonly HistoryEntry[],
): CarriedOut => ({
  decided: {
    is: answer.is,
    event: answer.event ?? null,
    text: answer.text ?? '',
    state: object === null ? absent : stateOf(lifecycle, object),
    object,
    moves,
  },
  sent: null,
});

/**
 * What to write when no rule answered: the moves found before, if they only change the status and have no effects. The
 * rest is left to the pass.
 */
function withoutAnswer(lifecycle: AnyLifecycle, stored: KubeObject, { found, actions }: Answer) {
  const isWritable =
    objectPatch(stored, found) === null && actions.every((action) => lifecycle.actions[action]?.effect === undefined);
  return isWritable && movesSince(stored, found).length > 0
    ? { found, moved: found }
    : { found: stored, moved: stored };
}

const movesSince = (stored: KubeObject, written: KubeObject): readonly HistoryEntry[] => {
  const last = historyOf(stored).at(-1)?.seq ?? 0;
  return historyOf(written).filter(({ seq }) => seq > last);
};

/** Enters the move of a state stored in the object, after that is written. */
const enterMove = Effect.fnUntraced(function* (
  { controller }: Instance,
  { sent, until }: { readonly sent: Sent; readonly until: number },
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Outside> {
  const { written, working, own, isReadBack } = sent;
  const entering = patiently(retryConflicts(enter(controller, written, own, context), until));
  // The object read back may have moved since.
  if (isReadBack) return yield* entering;
  return yield* recordStatus(controller.resource, written, withStatusOf(written, working), context).pipe(
    Effect.catchTag(['Conflict', 'Unavailable'], () => entering),
  );
});

const nullWhereNone = <A, E, R>(loading: Effect.Effect<A, E | NotFound, R>) =>
  Effect.catchTag(loading, 'NotFound', () => Effect.succeed(null));

function commandOver(stored: KubeObject, given: Command | ConditionalCommand): Command | null {
  if ('asked' in given) return given;
  const asked = given.follow(stored);
  return asked === null ? null : { asked, by: given.by };
}

/** Reads the object for a command directly, not from the cache. */
export const load = Effect.fnUntraced(function* (
  { controller, name }: Instance,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const stored = yield* cluster.get(controller.resource, { name });
  const known = context.reader.get(controller.resource, name);
  return yield* beginLife(controller, sharing(stored, known), context);
});

/** Derives the status fields with the command's own write, instead of waiting for the next pass. */
export const derivedNow = (
  controller: Controller,
  object: KubeObject,
  given: Pick<Deriving, 'reader' | 'now'>,
): KubeObject => derived(controller, object, derivingNow(given)).object;

/** The object after a command; fails when no rule answered, one refused, or it could not be decided. */
export const expectAnswer = <R>(
  instance: Instance,
  given: Command | ConditionalCommand,
  deciding: Effect.Effect<Decided, Undecided, R>,
) =>
  deciding.pipe(
    Effect.flatMap((decided) => objectOf(instance, given, decided)),
    Effect.catchTags({
      // An unreadable fact is no answer; the command may be retried.
      FactUnknown: ({ message }: FactUnknown) => Effect.fail(new Unavailable({ message })),
      InvalidTransition: () => Effect.fail(rejected(instance, given, { isDeleting: false, says: '' })),
    }),
  );

function objectOf(
  instance: Instance,
  given: Command | ConditionalCommand,
  { is, object, text }: Decided,
): Effect.Effect<KubeObject, CommandRejected | NotFound> {
  if (object === null)
    return Effect.fail(new NotFound({ what: `${instance.controller.resource.kind} "${instance.name}"` }));
  if (is === 'answered' || is === 'nothing') return Effect.succeed(object);
  return Effect.fail(rejected(instance, given, { isDeleting: isDeleting(object), says: is === 'refused' ? text : '' }));
}

const rejected = (
  { lifecycle, name }: Instance,
  given: Command | ConditionalCommand,
  why: Pick<CommandRejected, 'isDeleting' | 'says'>,
): CommandRejected =>
  new CommandRejected({ machine: lifecycle.name, name, command: 'asked' in given ? nameOf(given.asked) : '', ...why });

export const nameOf = (asked: Command['asked']): string => (typeof asked === 'string' ? asked : asked.is);
