import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { isoTime } from '../../rules/time.ts';
import { sharing } from '../cache/sharing.ts';
import { type Command, CommandRejected } from '../contract/command.ts';
import type { PassContext } from '../contract/context.ts';
import type { Controller, Deriving, Instance } from '../contract/controller.ts';
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
import { objectPatch, withStatus, withStatusOf } from '../step/status.ts';
import { absent } from '../step/step.ts';
import { enter } from '../write/enter.ts';
import { beginLife } from '../write/life.ts';
import { recordObject, recordStatus } from '../write/record.ts';
import { confirmMove, patiently } from './confirm.ts';
import { type Answer, decideCommand } from './decideCommand.ts';
import { deadline, retryConflicts } from '../services/cluster/retryConflicts.ts';

/** A command that depends on what is stored, which is read again with every try; null for nothing to do. */
export interface ConditionalCommand {
  readonly follow: (stored: KubeObject) => Command['asked'] | null;
  readonly by: string;
}

/** What the rules made of a command. */
export interface Decided {
  /** Whether a rule answered it, refused it, or none did; `nothing` where a conditional command turned out to be none. */
  readonly is: Answer['is'] | 'nothing';
  /** The event that the rules named; null where no rule answers in this state. */
  readonly event: string | null;
  readonly state: string;
  readonly text: string;
  /** The object after it; null where there is none. */
  readonly object: KubeObject | null;
  /** What was entered in its history, oldest first. */
  readonly moves: readonly HistoryEntry[];
}

/** Whether the rules decide over an object that is not there, or the command fails with NotFound. */
export type IfAbsent = 'fail' | 'decide';

/** Facts that a command needed could not be read, or the cluster could not be. */
export type Undecided = WriteError | FactUnknown | InvalidTransition;

/**
 * One command on one instance: load, decide, write over the version that was read, confirm. What rules find is entered
 * first, then the rules that answer the command decide what it means here. It writes the state and leaves every effect
 * to the pass. A conflict makes it read and decide again; once a state outside the status is written, only the move is
 * left to enter. A write whose answer is lost is read back, and is done where the move is stored.
 */
export const command = Effect.fnUntraced(function* (
  instance: Instance,
  given: Command | ConditionalCommand,
  context: PassContext,
  ifAbsent: IfAbsent = 'fail',
): Effect.fn.Return<Decided, Undecided, Outside> {
  const until = yield* deadline;
  // What is known not to be stored may be sent once more.
  const carriedOut = yield* Effect.retry(retryConflicts(carryOut(instance, given, context, ifAbsent), until), {
    times: 1,
    while: ({ _tag }) => Effect.map(monotonicMs, (now) => _tag === 'Unavailable' && now < until),
  });
  const { decided, sent } = carriedOut;
  if (sent === null) return decided;
  const entered = yield* enterMove(instance, { sent, until }, context);
  return { ...decided, object: entered, moves: movesSince(sent.stored, entered) };
});

/** What stands of a command once its first write is done. */
interface CarriedOut {
  readonly decided: Decided;
  /** What is still to be entered of a state that is kept in the object; null where all is written. */
  readonly sent: Sent | null;
}

interface Sent {
  readonly stored: KubeObject;
  readonly written: KubeObject;
  readonly working: KubeObject;
  readonly own: HistoryEntry;
  /** Whether the answer to the write was lost, so that `written` was read after it. */
  readonly isReadBack: boolean;
}

/** Decides what a command means and writes it, except for the entry of a state that is kept in the object. */
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
  const working = derived(controller, moved, { reader, now: isoTime(now) });
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
 * What is written of a command that no rule answered: what rules found before, as long as it stands in the status and
 * needs nothing done before. Everything else is left to the pass.
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

/** Enters the move of a state that is kept in the object, once that is written. */
const enterMove = Effect.fnUntraced(function* (
  { controller }: Instance,
  { sent, until }: { readonly sent: Sent; readonly until: number },
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Outside> {
  const { written, working, own, isReadBack } = sent;
  const entering = patiently(retryConflicts(enter(controller, written, own, context), until));
  // What is read back may have gone on since.
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

/** The object after a command; fails where no rule answered it, or one refused it, or it could not be decided. */
export const expectAnswer = <R>(
  instance: Instance,
  given: Command | ConditionalCommand,
  deciding: Effect.Effect<Decided, Undecided, R>,
) =>
  deciding.pipe(
    Effect.flatMap((decided) => objectOf(instance, given, decided)),
    Effect.catchTags({
      // What could not be read is no answer to the command, which may be given again.
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
