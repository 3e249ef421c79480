import { run } from '../environment/run.ts';
import type { Counters } from '../environment/counters.ts';
import { isUndisturbed, referenceOf } from '../verify.ts';
import { numbers } from '../../support/random.ts';
import type { FaultSubject, Path } from '../subjects/subject.ts';
import { type Baseline, patterns } from './patterns.ts';
import type { Plan } from './plan.ts';
import { ofKind, type Trouble } from './trouble.ts';

/** A plan and its pattern. */
export interface Planned {
  readonly pattern: string;
  readonly plan: Plan;
}

/** What is added to the exhaustive patterns. */
export interface Extent {
  readonly seed: number;
  /** The number of plans with several faults for each path, drawn by the seed. */
  readonly mixed: number;
  /** Runs one in this many plans; each seed selects another one. */
  readonly oneOf: number;
}

const mixed = 'several at once';

type Troubles = readonly Trouble[];

/** The counts of a path: the faults that can occur on it, and the counts under some of them. */
interface PathCounts {
  readonly single: readonly Troubles[];
  readonly countersOf: (troubles: Troubles) => Promise<Counters>;
  /** Whether this place is selected; checked before anything is run for it. */
  readonly picked: () => boolean;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const twins: Trouble = { is: 'twins' };
const restarts: Trouble = { is: 'restarts', seed: 1 };
const dies = (at: number): Trouble => ({ is: 'dies', at, when: 'after' });

/** The leader acts before each call of a stand-by that serves, of which the last one is the path without a pause. */
export async function servedBy(countersOf: PathCounts['countersOf']): Promise<readonly Troubles[]> {
  const serves: Trouble = { is: 'serves' };
  const { calls } = await countersOf([serves]);
  return [...upTo(calls[1] ?? 0).map((at): Troubles => [{ is: 'serves', at }]), [serves]];
}

/** Patterns whose places are only known after another fault has occurred. */
const onTop: Readonly<Record<string, (course: PathCounts) => AsyncGenerator<Troubles>>> = {
  async *'one of two leaders dies'({ countersOf, picked }) {
    if (!picked()) return;
    const { calls } = await countersOf([twins]);
    for (const at of upTo(calls[0] ?? 0)) yield [twins, dies(at)];
  },
  async *'served by a stand-by'({ countersOf, picked }) {
    if (!picked()) return;
    for (const troubles of await servedBy(countersOf)) yield troubles;
  },
  // Dying after a call equals dying before the next one; both have already been tried once.
  async *'crash of the restart'({ countersOf, picked }) {
    const undisturbed = await countersOf([]);
    for (const at of upTo(undisturbed.calls[0] ?? 0)) {
      if (!picked()) continue;
      const { calls } = await countersOf([dies(at)]);
      for (const then of upTo(calls[1] ?? 0)) yield [dies(at), dies(then)];
    }
  },
  async *'crash of a restart at rest'({ countersOf, picked }) {
    if (!picked()) return;
    const { recordedCalls } = await countersOf([restarts]);
    for (const at of upTo(recordedCalls.at(-1) ?? 0)) yield [restarts, { is: 'diesStarting', at }];
  },
  async *'changed by hand, then a crash'({ single, countersOf, picked }) {
    for (const edit of ofKind(single.flat(), 'hand')) {
      if (!picked()) continue;
      const { calls, changedAt } = await countersOf([edit]);
      for (const at of upTo(calls[0] ?? 0)) if (changedAt !== null && at > changedAt) yield [edit, dies(at)];
    }
  },
};

/** The names of all patterns, in the order in which they run. */
export const patternNames: readonly string[] = [...Object.keys(patterns), ...Object.keys(onTop), mixed];

/** All plans of one path: every fault at every place, the additional patterns, and a seeded draw of mixtures. */
export async function* productOf(
  subject: FaultSubject,
  path: Path,
  { seed, mixed: count, oneOf }: Extent,
  wanted: (pattern: string) => boolean = () => true,
): AsyncGenerator<Planned> {
  const plan = (troubles: Troubles): Plan => ({ subject, path, troubles });
  const countersOf = async (troubles: Troubles) => {
    const course = plan(troubles);
    return (await (isUndisturbed(course) ? referenceOf(course) : run(course))).counters;
  };
  const baseline: Baseline = { counters: await countersOf([]), userEdits: Object.keys(subject.userEdits) };
  const single: Troubles[] = [];
  let turn = seed;
  const picked = () => turn++ % oneOf === 0;
  for (const [pattern, make] of Object.entries(patterns)) {
    const made = make(baseline);
    single.push(...made);
    if (!wanted(pattern)) continue;
    for (const troubles of made) if (picked()) yield { pattern, plan: plan(troubles) };
  }
  for (const [pattern, make] of Object.entries(onTop))
    if (wanted(pattern))
      for await (const troubles of make({ single, countersOf, picked })) yield { pattern, plan: plan(troubles) };
  if (wanted(mixed))
    for (const troubles of mixtures(single, seed, Math.ceil(count / oneOf)))
      yield { pattern: mixed, plan: plan(troubles) };
}

/** Faults that a mixture may contain: those after which the path still ends as it does undisturbed, at a time of its own. */
const mixable = (troubles: Troubles) =>
  ofKind(troubles, 'hand', 'handAfter', 'jumps', 'restarts', 'handsOver').length === 0;

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
