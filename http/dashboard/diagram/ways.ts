import type { Row } from '../../api.ts';

/** Many states from which the same event leads to the same state, drawn as one start. */
export interface Beginning {
  readonly label: string;
  readonly states: readonly string[];
}

const elsewhere = 'any other state';

/** Fewer arrows than these are drawn one by one; "any other state" is a shorter label than a list of some. */
const minStates = { all: 3, some: 4 };
/** A label names the exceptions only where that saves this many names. */
const shorterBy = 2;

/** An event and its target state. */
export const wayOf = ({ event, to }: Pick<Row, 'event' | 'to'>): string => `${event}>${to}`;

function labelFor(states: readonly string[], missing: readonly string[]): string {
  if (missing.length === 0) return elsewhere;
  return missing.length + shorterBy <= states.length ? `${elsewhere} but ${missing.join(', ')}` : states.join(', ');
}

/** The transitions that many states share, each with the states it starts from. */
export function commonWays(rows: readonly Row[], named: ReadonlySet<string>): ReadonlyMap<string, Beginning> {
  const common = new Map<string, Beginning>();
  for (const row of rows.filter(({ to }) => named.has(to))) {
    const from = new Set(rows.filter((other) => wayOf(other) === wayOf(row)).flatMap((other) => other.from));
    const others = [...named].filter((state) => state !== row.to);
    const states = others.filter((state) => from.has(state));
    const missing = others.filter((state) => !from.has(state));
    if (states.length >= (missing.length === 0 ? minStates.all : minStates.some))
      common.set(wayOf(row), { label: labelFor(states, missing), states });
  }
  return common;
}
