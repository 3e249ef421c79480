import { external, sentence, toObservers, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { type CauseRule, found } from './rule.ts';

/** What is to be written for an object while anything is tried for it. */
interface Unwritten {
  /** The objects that are still to be written or removed. */
  readonly due?: readonly ObjectRef[];
  /** Null while it was not given up. */
  readonly gaveUp: unknown;
}

/** The first object that is still to be written; none once the object was given up, because nothing is written then. */
export const byUnwritten: CauseRule<Unwritten> = found(
  ['CopiesStarting'],
  ({ due = [], gaveUp }, { self, message }) => {
    if (gaveUp !== null) return [];
    const [first] = due;
    if (first === undefined) return [{ reason: 'CopiesStarting', message, on: self }];
    const words = { kind: toViewers(first.kind), name: toObservers(first.name) };
    return [{ reason: 'CopiesStarting', message: sentence('{kind} "{name}" is being written', words), on: first }];
  },
);

/** Another manager that keeps changing something back, in a sentence; the first of several. */
export const overwrittenCauses = (overwritten: readonly string[], on: ObjectRef): readonly FoundCause[] =>
  overwritten.slice(0, 1).map((why) => ({ reason: 'Contested', message: external(why), on }));
