import { Clock, Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { isoTime } from '../../rules/time.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Outside } from '../services/outside.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { WriteError } from '../services/cluster/cluster.ts';
import { apply } from '../step/apply.ts';
import { caughtUp } from '../step/catchUp.ts';
import { FactUnknown, observed, stepAsking } from '../step/decide.ts';
import { historyOf } from '../step/history.ts';
import { standing, stateOf } from '../step/standing.ts';
import { absent } from '../step/step.ts';
import { OutsideTable } from '../step/outsideTable.ts';
import type { PassContext } from '../contract/context.ts';
import { confirmMove } from './confirm.ts';
import { derived, finder, load, patienceMs, retried } from './move.ts';
import { recordStatus } from '../write/record.ts';
import type { Command } from '../contract/command.ts';
import type { Instance } from '../contract/controller.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** What the rules made of a command. */
export interface Decided {
  /** The event they named; null where no rule answers in this state. */
  readonly event: string | null;
  readonly state: string;
  readonly text: string;
  /** The object as it stands now; null where there is none. */
  readonly object: KubeObject | null;
  /** What was entered in its history, oldest first. */
  readonly moves: readonly HistoryEntry[];
}

/** Facts that a command needed could not be read, or the cluster could not be. */
export type Undecided = WriteError | FactUnknown | OutsideTable;

/** More moves than this before a command is answered are a mistake in a table. */
const mostSteps = 10;

/**
 * One command on a machine that is kept in the status, whose caller does not know what it means here: load, decide by the rules over facts
 * that are read as they are needed, step, save over the version that was read, answer with the words of the rule. What
 * rules find on the way is entered with it, and is entered even where nothing answers after it. A conflict makes it
 * decide anew.
 */
export const decideCommand = Effect.fnUntraced(function* (
  instance: Instance,
  command: Command,
  context: PassContext,
): Effect.fn.Return<Decided, Undecided, Outside> {
  const until = (yield* monotonicMs) + patienceMs;
  const { controller, name } = instance;
  const once = Effect.gen(function* () {
    const stored = yield* load(instance, context).pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
    if (stored === null) {
      const missing: KubeObject = { metadata: { name } };
      return yield* answer(instance, missing, { command, reader: context.reader, isAbsent: true });
    }
    const now = yield* Clock.currentTimeMillis;
    const { object } = caughtUp(machinesOn(controller, stored), stored, { now, reader: context.reader });
    const found = yield* answer(instance, object, { command, reader: context.reader, isAbsent: false });
    const working = derived(controller, found.object ?? object, { reader: context.reader, now: isoTime(now) });
    const written = yield* recordStatus(controller.resource, stored, working, context).pipe(
      Effect.catchTag('Away', (lost) => confirmMove({ controller, stored, working }, lost, context)),
    );
    const last = historyOf(stored).at(-1)?.seq ?? 0;
    return { ...found, object: written, moves: historyOf(written).filter(({ seq }) => seq > last) };
  });
  return yield* retried(once, until);
});

interface Answering {
  readonly command: Command;
  readonly reader: CacheReader;
  readonly isAbsent: boolean;
}

/** First the moves that rules find, one by one, then the one that answers the command. */
const answer = Effect.fnUntraced(function* (
  { controller, lifecycle }: Instance,
  object: KubeObject,
  { command: { asked, by }, reader, isAbsent }: Answering,
): Effect.fn.Return<Decided, FactUnknown | OutsideTable, Outside> {
  let found = object;
  const ended = (event: string | null, text: string, after: KubeObject): Decided => ({
    event,
    state: isAbsent ? absent : stateOf(lifecycle, after),
    text,
    object: isAbsent ? null : after,
    moves: [],
  });
  for (let steps = 0; steps < mostSteps && !isDeleting(object); steps++) {
    const now = yield* Clock.currentTimeMillis;
    const others = isAbsent ? {} : standing(controller.lifecycles, found);
    const occasion = { asked, found: null };
    const moment = {
      now,
      resetFrom: null,
      others,
      failure: null,
      occasion,
      ...(isAbsent && { absent: true as const }),
    };
    const facts = observed(lifecycle, found, reader, moment);
    const taken = yield* stepAsking(lifecycle, found, { facts, reader, ...(isAbsent && { state: absent }) });
    const { stepped } = taken;
    if (stepped.decision.is === 'unknown')
      return yield* new FactUnknown({ fact: stepped.decision.fact, why: stepped.decision.why });
    if (stepped.is === 'refused') return yield* new OutsideTable(stepped.refusal);
    if (stepped.is !== 'moved' || stepped.decision.is !== 'event') break;
    const { answers, refuses } = stepped.decision.rule;
    const { event, text } = stepped.move;
    if (refuses) return ended(event, text, found);
    const cause = { by: answers === undefined ? finder : by, facts: taken.facts, reader };
    const moved = apply(lifecycle, found, stepped.move, cause);
    if (answers !== undefined) return ended(event, text, moved);
    found = moved;
  }
  return ended(null, '', found);
});
