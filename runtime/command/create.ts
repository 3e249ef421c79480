import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import type { CacheReader } from '../cache/reader.ts';
import { type AnyLifecycle, reconcileInput } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import { Unavailable, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { withFirstMove } from '../step/apply.ts';
import { observed, stepAsking } from '../step/decide.ts';
import { historyOf } from '../step/history.ts';
import { withStatusOf } from '../step/status.ts';
import { absent, step } from '../step/step.ts';
import type { PassContext } from '../contract/context.ts';
import { enter } from '../write/enter.ts';
import { beginLife } from '../write/life.ts';
import { confirmCreation, patiently } from './confirm.ts';
import { derivedNow, nameOf } from './command.ts';
import { deadline, retryConflicts } from '../services/cluster/retryConflicts.ts';
import { recordStatus } from '../write/record.ts';
import { type Command, CommandRejected } from '../contract/command.ts';
import type { Controller } from '../contract/controller.ts';

/** The machine that decides the creation, and the requested object with defaults. */
export interface Creation {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  readonly object: KubeObject;
}

/**
 * Creates an object by a command: step from absence, create. The single create carries the first move; later writes
 * only enter it, and any pass makes them if they fail. Nothing is written when a rule refuses. When the response is
 * lost, it reads back whether the first move is stored.
 */
export const create = Effect.fnUntraced(function* (
  creation: Creation,
  command: Command,
  context: PassContext,
): Effect.fn.Return<KubeObject, CommandRejected | WriteError, Outside> {
  const { controller } = creation;
  const until = yield* deadline;
  const now = yield* Clock.currentTimeMillis;
  const first = yield* firstMove(creation, command, { now, reader: context.reader });
  const cluster = yield* Cluster;
  const sent = { controller, working: first.object };
  const { created, isNews } = yield* cluster.create(controller.resource, first.object).pipe(
    Effect.map((made) => ({ created: made, isNews: true })),
    Effect.catchTag('Unavailable', (lost) =>
      Effect.map(confirmCreation(sent, lost, context), (found) => ({ created: found, isNews: false })),
    ),
  );
  context.wrote(created);
  // The object may have moved since it was created, so only what it lacks is written.
  const resumed = Effect.gen(function* () {
    const existing = yield* cluster.get(controller.resource, { name: created.metadata.name });
    if (existing.metadata.uid !== created.metadata.uid) return existing;
    return yield* enter(controller, yield* beginLife(controller, existing, context), first.move, context);
  });
  const resuming = patiently(retryConflicts(resumed, until));
  if (!isNews) return yield* resuming;
  return yield* begin(controller, created, withStatusOf(created, first.object), context).pipe(
    Effect.catchTag(['Conflict', 'Unavailable'], () => resuming),
  );
});

interface First {
  readonly object: KubeObject;
  readonly move: HistoryEntry;
}

/** Decides the first move, or fails with the reason. */
const firstMove = Effect.fnUntraced(function* (
  { lifecycle, object }: Creation,
  { asked, by }: Command,
  { now, reader }: { readonly now: number; readonly reader: CacheReader },
): Effect.fn.Return<First, CommandRejected | Unavailable, Outside> {
  const { name } = object.metadata;
  const refusal = (message: string) =>
    new CommandRejected({ machine: lifecycle.name, name, command: nameOf(asked), isDeleting: false, says: message });
  const trigger = { asked, found: null };
  const input = reconcileInput({ now, absent: true as const, trigger });
  const given = observed(lifecycle, object, reader, input);
  const { stepped, facts } = yield* stepAsking(lifecycle, object, { facts: given, reader, state: absent });
  if (stepped.decision.is === 'unknown') return yield* new Unavailable({ message: stepped.decision.why });
  if (stepped.is !== 'moved' || stepped.decision.is !== 'event') return yield* refusal('');
  if (stepped.decision.rule.refuses) return yield* refusal(stepped.move.text);
  const made = withFirstMove(lifecycle, object, stepped.move, { by, facts, reader });
  const move = historyOf(made).at(-1);
  return move === undefined ? yield* refusal('') : { object: made, move };
});

/**
 * Builds an object that a pass creates, with its first move. A machine still in absence enters its creation by its own
 * rule when it first steps.
 */
export function made<O extends KubeObject>(
  lifecycles: readonly AnyLifecycle[],
  object: O,
  { now, reader }: { readonly now: number; readonly reader: CacheReader },
): O {
  for (const lifecycle of lifecycles.filter(({ rules }) => rules.has(absent))) {
    const trigger = { asked: null, found: lifecycle.read(object) };
    const input = reconcileInput({ now, resetFrom: absent, trigger });
    const facts = observed(lifecycle, object, reader, input);
    const stepped = step(lifecycle, absent, facts);
    if (stepped.is === 'moved' && stepped.move.to === trigger.found)
      return withFirstMove(lifecycle, object, stepped.move, { by: 'operator', facts, reader }) as O;
  }
  return object;
}

/** Adds the finalizer to the new object and enters its first move, with its derived status fields. */
const begin = Effect.fnUntraced(function* (
  controller: Controller,
  created: KubeObject,
  entered: KubeObject,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const stored = yield* beginLife(controller, created, context);
  const now = isoTime(yield* Clock.currentTimeMillis);
  const working = derivedNow(controller, withStatusOf(stored, entered), { reader: context.reader, now });
  return yield* recordStatus(controller.resource, stored, working, context);
});
