import { Clock, Data, Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { apply } from './apply.ts';
import type { Around } from './around.ts';
import { observed } from './decide.ts';
import type { AnyLifecycle, Controller } from './lifecycle.ts';
import { monotonicMs } from './monotonic.ts';
import type { Seen } from './seen.ts';
import { record } from './record.ts';
import { Cluster, type WriteError } from './services/cluster.ts';
import { step } from './step.ts';
import { movedFrom, takeUp } from './takeUp.ts';

/** No rule answers this command in this state. */
export class NoAnswer extends Data.TaggedError('NoAnswer')<{
  readonly machine: string;
  readonly state: string;
  readonly command: string;
}> {}

/** What is asked of one instance, by its name or with parameters, and by whom. */
export interface Command {
  readonly asked: string | { readonly is: string };
  readonly by: string;
}

/** One machine of one object. */
export interface Instance {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  readonly name: string;
}

const tries = 5;
/** What is found leads somewhere: more moves than this are a mistake of a table. */
const mostSteps = 10;
/** Whoever asked has given up by then, and may have asked for something else: an old wish is not carried out late. */
const patienceMs = 10_000;

/**
 * One command on one instance: load, step, save over the version that was read. What was found is entered first, then
 * the rules that answer the command say what it is here. It writes the state and leaves every effect to the pass.
 * Somebody else's write in between makes it read and decide anew.
 */
export const move = Effect.fnUntraced(function* (
  { controller, lifecycle, name }: Instance,
  command: Command,
  around: Around,
): Effect.fn.Return<KubeObject, NoAnswer | WriteError, Cluster> {
  const cluster = yield* Cluster;
  const askedAt = yield* monotonicMs;
  const attempt = Effect.gen(function* () {
    const stored = yield* cluster.get(controller.resource, { name });
    const now = yield* Clock.currentTimeMillis;
    const { seen } = around;
    const resetFrom = movedFrom(lifecycle, stored);
    const entered = resetFrom === null ? stored : takeUp(lifecycle, stored, { from: resetFrom, now, seen }).object;
    const answered = answer(lifecycle, entered, { command, now, resetFrom, seen });
    if (answered instanceof NoAnswer) return yield* answered;
    return yield* record(controller.resource, stored, answered, around);
  });
  const again = ({ _tag }: { readonly _tag: string }) =>
    Effect.map(monotonicMs, (now) => _tag === 'Conflict' && now < askedAt + patienceMs);
  return yield* attempt.pipe(Effect.retry({ times: tries - 1, while: again }));
});

interface Answering {
  readonly command: Command;
  readonly now: number;
  readonly resetFrom: string | null;
  readonly seen: Seen;
}

/** The object after the command: first what is found already, move by move, then what answers it. */
function answer(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  { command: { asked, by }, now, resetFrom, seen }: Answering,
): KubeObject | NoAnswer {
  let working = object;
  for (let steps = 0; steps < mostSteps; steps++) {
    const moment = { now, resetFrom, failure: null, occasion: { asked, found: null } };
    const facts = observed(lifecycle, working, seen, moment);
    const stepped = step(lifecycle, lifecycle.read(working), facts);
    if (stepped.is !== 'moved' || stepped.decision.is !== 'event') break;
    working = apply(lifecycle, working, stepped.move, { by, facts, seen });
    if (stepped.decision.rule.answers !== undefined) return working;
  }
  return new NoAnswer({ machine: lifecycle.name, state: lifecycle.read(working), command: nameOf(asked) });
}

const nameOf = (asked: Command['asked']): string => (typeof asked === 'string' ? asked : asked.is);
