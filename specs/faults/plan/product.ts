import { run } from '../world/run.ts';
import { referenceOf } from '../verify.ts';
import { numbers } from '../../support/random.ts';
import type { FaultSubject, Path } from '../subjects/subject.ts';
import { type Ground, patterns } from './patterns.ts';
import type { Plan } from './plan.ts';
import { ofKind, type Trouble } from './trouble.ts';

/** A plan, and the pattern it belongs to. */
export interface Planned {
  readonly pattern: string;
  readonly plan: Plan;
}

/** What comes on top of the exhaustive patterns. */
export interface Extent {
  readonly seed: number;
  /** Plans of several troubles at once, for each path, drawn by the seed. */
  readonly mixed: number;
}

const twice = 'crash of the restart';
const handThenCrash = 'changed by hand, then a crash';
const mixed = 'several at once';

/** The names of all patterns, in the order in which they run. */
export const patternNames: readonly string[] = [...Object.keys(patterns), twice, handThenCrash, mixed];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const dies = (at: number): Trouble => ({ is: 'dies', at, when: 'after' });

/** The whole product of one path: every trouble at every place, deaths of restarts, and a seeded draw of mixtures. */
export async function* productOf(
  subject: FaultSubject,
  path: Path,
  { seed, mixed: count }: Extent,
  wanted: (pattern: string) => boolean = () => true,
): AsyncGenerator<Planned> {
  const plan = (troubles: readonly Trouble[]): Plan => ({ subject, path, troubles });
  const { tally } = await referenceOf(plan([]));
  const ground: Ground = { tally, hands: Object.keys(subject.hands) };
  const single: (readonly Trouble[])[] = [];
  for (const [pattern, make] of Object.entries(patterns)) {
    const made = make(ground);
    single.push(...made);
    if (wanted(pattern)) for (const troubles of made) yield { pattern, plan: plan(troubles) };
  }
  if (wanted(twice))
    // To die after a call is to die before the next one; both are tried once already.
    for (const at of upTo(tally.calls[0] ?? 0)) {
      const first = await run(plan([dies(at)]));
      for (const then of upTo(first.tally.calls[1] ?? 0)) yield { pattern: twice, plan: plan([dies(at), dies(then)]) };
    }
  if (wanted(handThenCrash))
    for (const hand of single.map(([one]) => one).filter((one) => one?.is === 'hand')) {
      const changed = await referenceOf(plan([hand]));
      const { calls, changedAt } = changed.tally;
      for (const at of upTo(calls[0] ?? 0))
        if (changedAt !== null && at > changedAt) yield { pattern: handThenCrash, plan: plan([hand, dies(at)]) };
    }
  if (wanted(mixed))
    for (const troubles of mixtures(single, seed, count)) yield { pattern: mixed, plan: plan(troubles) };
}

/** Troubles that a mixture may hold: those after which the path still ends as it does undisturbed. */
const mixable = (troubles: readonly Trouble[]) => ofKind(troubles, 'hand', 'handAfter', 'jumps').length === 0;

function mixtures(
  single: readonly (readonly Trouble[])[],
  seed: number,
  count: number,
): readonly (readonly Trouble[])[] {
  const next = numbers(seed);
  const pool = single.filter(mixable);
  const draw = () => pool[Math.floor(next() * pool.length)] ?? [];
  return upTo(count).map(() => {
    const drawn = upTo(2 + Math.floor(next() * 2)).flatMap(draw);
    return drawn.filter((trouble, index) => drawn.findIndex(({ is }) => is === trouble.is) === index);
  });
}
