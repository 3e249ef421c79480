import type { RouterContext } from '@koa/router';
import { statesOf } from '../../runtime/step/machine.ts';
import { absent, gone } from '../../runtime/step/step.ts';
import { refuse } from '../orThrow.ts';
import { shownOf } from '../views/machine.ts';
import type { AnyMachine } from '../views/placed.ts';

/** The states in a query, in lower case; null for all. An unknown state is refused. */
export function statesIn(
  ctx: RouterContext,
  lifecycles: readonly [AnyMachine, ...(readonly AnyMachine[])],
  words: string | undefined,
): ReadonlySet<string> | null {
  if (words === undefined) return null;
  const wanted = words.split(',');
  const [{ machine, name }] = lifecycles;
  const states = statesOf(machine);
  const shown = lifecycles.flatMap((lifecycle) => states.map((state) => shownOf(lifecycle, state)));
  const known = new Set([...states, ...shown, absent, gone].map(lower));
  const unknown = wanted.find((word) => !known.has(lower(word)));
  if (unknown !== undefined)
    return refuse(ctx, 400, `"${unknown.slice(0, 80)}" is no state of the machine ${name}: ${states.join(', ')}`);
  return new Set(wanted.map(lower));
}

const lower = (word: string): string => word.toLowerCase();

/** Whether the states of a query include an object's state or its displayed word. */
export const isIn = (
  states: ReadonlySet<string> | null,
  { state, shown }: { readonly state: string; readonly shown: string },
): boolean => states === null || states.has(lower(state)) || states.has(lower(shown));
