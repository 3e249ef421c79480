import type { Row } from '../../api.ts';

/** Many states from which the same event leads to the same state: drawn as one beginning. */
export interface Beginning {
  readonly label: string;
  readonly states: readonly string[];
}

export const elsewhere = 'any other state';

/** Fewer arrows than these are drawn one by one; all the others are told shorter than some of them. */
const least = { all: 3, some: 4 };
/** Exceptions are told instead of a list only where that is shorter by so many names. */
const shorterBy = 2;

/** An event and where it leads. */
export const wayOf = ({ event, to }: Pick<Row, 'event' | 'to'>): string => `${event}>${to}`;

function labelFor(states: readonly string[], missing: readonly string[]): string {
  if (missing.length === 0) return elsewhere;
  return missing.length + shorterBy <= states.length ? `${elsewhere} but ${missing.join(', ')}` : states.join(', ');
}

/** The ways that many states have in common, each with where it begins. */
export function commonWays(rows: readonly Row[], named: ReadonlySet<string>): ReadonlyMap<string, Beginning> {
  const common = new Map<string, Beginning>();
  for (const row of rows.filter(({ to }) => named.has(to))) {
    const from = new Set(rows.filter((other) => wayOf(other) === wayOf(row)).flatMap((other) => other.from));
    const others = [...named].filter((state) => state !== row.to);
    const states = others.filter((state) => from.has(state));
    const missing = others.filter((state) => !from.has(state));
    if (states.length >= (missing.length === 0 ? least.all : least.some))
      common.set(wayOf(row), { label: labelFor(states, missing), states });
  }
  return common;
}
