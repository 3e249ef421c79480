import { Data } from 'effect';
import { rowTaken } from './audit.ts';
import type { AnyLifecycle } from './lifecycle.ts';
import { type Step, step } from './step.ts';

/** What a rule names has no arrow of machine and table in this state: the pass writes nothing. */
export class OutsideTable extends Data.TaggedError('OutsideTable')<{
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly text: string;
}> {}

export const outsideTable = (machine: string, from: string, event: string): OutsideTable =>
  new OutsideTable({ machine, from, event, text: `the table has no arrow for ${event} in ${from}: refused` });

/** The step that machine and table both know; null when either does not. */
export function legalStep({ machine, rows }: AnyLifecycle, from: string, event: string): Step | null {
  const taken = step(machine, from, event);
  return taken !== null && rowTaken(rows, { from, event, to: taken.to }) ? taken : null;
}
