import { patternNames, productOf } from '../plan/product.ts';
import { type Plan, readPlan } from '../plan/plan.ts';
import type { FaultSubject, Path } from '../subjects/subject.ts';
import type { Bug } from './bug.ts';
import { families } from './families.ts';

type Plans = AsyncIterable<Plan>;

async function* undisturbed(subject: FaultSubject, path: Path): AsyncGenerator<Plan> {
  yield { subject, path, troubles: [] };
}

/** Every element once, distant ones first, because neighbours mostly show the same. */
function spread<One>(ones: readonly One[]): readonly One[] {
  const golden = 0.618_033_988_75;
  const at = (index: number) => (0.5 + index * golden) % 1;
  return ones.toSorted((a, b) => at(ones.indexOf(a)) - at(ones.indexOf(b)));
}

async function* planOf(subject: FaultSubject, path: Path, pattern: string): AsyncGenerator<Plan> {
  const plans: Plan[] = [];
  for await (const { plan } of productOf(subject, path, { seed: 1, mixed: 10, oneOf: 1 }, (one) => one === pattern))
    plans.push(plan);
  yield* spread(plans);
}

async function* inTurn(all: readonly Plans[]): AsyncGenerator<Plan> {
  let left = all.map((plans) => plans[Symbol.asyncIterator]());
  while (left.length > 0) {
    const still: AsyncIterator<Plan>[] = [];
    for (const plans of left) {
      const next = await plans.next();
      if (next.done === true) continue;
      still.push(plans);
      yield next.value;
    }
    left = still;
  }
}

async function* oneByOne(all: readonly Plans[]): AsyncGenerator<Plan> {
  for (const plans of all) yield* plans;
}

/** A few paths that exercise most of what a controller does. */
const telling = /^(a pinned commit is built|checks are awaited|the log is archived|built again while it runs)$/;

/**
 * The plans for a bug, in order. On the paths that can show it: no fault, then the plans that the bug names, then the
 * patterns of its family in turn. Then every plan on every path.
 */
export async function* plansFor(
  { on = telling, by = [], plans = [], family }: Bug,
  subject: FaultSubject,
): AsyncGenerator<Plan> {
  const named = subject.paths.filter(({ name }) => on.test(name));
  const others = subject.paths.filter((path) => !named.includes(path));
  const known = [...new Set([...by, ...families[family]])];
  const rest = patternNames.filter((name) => !known.includes(name));
  const product = (paths: readonly Path[], patterns: readonly string[]) =>
    inTurn(patterns.map((pattern) => inTurn(paths.map((path) => planOf(subject, path, pattern)))));
  const baselines = (paths: readonly Path[]) => oneByOne(paths.map((path) => undisturbed(subject, path)));
  yield* baselines(named);
  for (const text of plans) {
    const plan = readPlan(text, [subject]);
    if (typeof plan === 'string') throw new Error(plan);
    yield plan;
  }
  if (by.length > 0) yield* product(named, by);
  yield* product(named, known);
  yield* baselines(others);
  yield* product(named, rest);
  yield* product(others, [...known, ...rest]);
}
