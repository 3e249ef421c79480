import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../../rules/deleting.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Command } from '../contract/command.ts';
import type { Instance } from '../contract/controller.ts';
import type { Outside } from '../services/outside.ts';
import { apply } from '../step/apply.ts';
import { FactUnknown, observed, stepAsking } from '../step/decide.ts';
import { InvalidTransition } from '../step/invalidTransition.ts';
import { knowsEnd, standing } from '../step/standing.ts';
import { absent } from '../step/step.ts';
import { reconcileInput } from '../contract/lifecycle.ts';

/** The author of moves that rules find before the answer, which no client commanded. */
const finder = 'operator';
/** More moves than this before an answer are a defect of a table. */
const maxSteps = 10;

/** The rules' answer to a command. */
export interface Answer {
  readonly is: 'answered' | 'refused' | 'unanswered';
  readonly event: string | null;
  readonly text: string;
  /** The object after the moves found before the answer, and the actions of those moves. */
  readonly found: KubeObject;
  readonly actions: readonly string[];
  /** The same after the answering move. */
  readonly moved: KubeObject;
}

export interface Deciding {
  readonly command: Command;
  readonly now: number;
  readonly reader: CacheReader;
  readonly resetFrom?: string | null;
  /** No object has the name. */
  readonly isAbsent?: true;
}

/** Decides one command over an object: first the moves that rules find, one by one, then the move that answers it. */
export const decideCommand = Effect.fnUntraced(function* (
  { controller, lifecycle }: Instance,
  object: KubeObject,
  { command: { asked, by }, now, reader, resetFrom = null, isAbsent }: Deciding,
): Effect.fn.Return<Answer, FactUnknown | InvalidTransition, Outside> {
  let found = object;
  const actions: string[] = [];
  const unmoved = (is: 'refused' | 'unanswered', event: string | null, text: string): Answer => ({
    is,
    event,
    text,
    found,
    actions,
    moved: found,
  });
  const isClosed = isDeleting(object) && !knowsEnd(lifecycle);
  for (let steps = 0; steps < maxSteps && !isClosed; steps++) {
    const others = isAbsent ? {} : standing(controller.lifecycles, found);
    const trigger = { asked, found: null };
    const input = reconcileInput({ now, resetFrom, others, trigger, ...(isAbsent && { absent: isAbsent }) });
    const given = observed(lifecycle, found, reader, input);
    const { stepped, facts } = yield* stepAsking(lifecycle, found, {
      facts: given,
      reader,
      ...(isAbsent && { state: absent }),
    });
    // An unreadable fact is no answer; the command may be retried.
    if (stepped.decision.is === 'unknown')
      return yield* new FactUnknown({ fact: stepped.decision.fact, message: stepped.decision.why });
    if (stepped.is === 'refused') return yield* new InvalidTransition(stepped.refusal);
    if (stepped.is !== 'moved' || stepped.decision.is !== 'event') break;
    const { refuses, answers } = stepped.decision.rule;
    const { event, text } = stepped.move;
    if (refuses) return unmoved('refused', event, text);
    const isAnswer = answers !== undefined;
    const moved = apply(lifecycle, found, stepped.move, { by: isAnswer ? by : finder, facts, reader });
    if (isAnswer) return { is: 'answered', event, text, found, actions, moved };
    actions.push(...stepped.move.actions);
    found = moved;
  }
  return unmoved('unanswered', null, '');
});
