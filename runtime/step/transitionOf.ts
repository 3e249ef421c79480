import type { Absence } from '../../rules/engine.ts';
import { type Move, step } from './step.ts';
import type { Stepper } from '../contract/stepper.ts';

/**
 * The next move of an instance that is not a resource: a key of a Secret, an entry in memory, a sealed cookie. Facts
 * that cost a call must be known. Throws when rules and table disagree, which is a defect.
 */
export function transitionOf<Facts extends { readonly now: number }, State extends string, Event extends string>(
  of: Stepper<Facts, State, Event>,
  from: State | Absence,
  facts: Facts,
): Move<State, Event> {
  const stepped = step(of, from, facts);
  if (stepped.is === 'moved') return stepped.move;
  throw new Error(
    stepped.is === 'refused'
      ? `${of.name}: ${stepped.refusal.message}`
      : `${of.name}: nothing can be decided in ${from}`,
  );
}
