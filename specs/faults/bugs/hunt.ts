import { type Plan, sayPlan } from '../plan/plan.ts';
import type { FaultSubject } from '../subjects/subject.ts';
import { verify } from '../verify.ts';
import type { Bug } from './bug.ts';
import type { Hosting } from './hosting.ts';
import { plansFor } from './order.ts';
import { wrongWith } from './trier.ts';

/** The result of the hunt for one bug. */
export interface Hunted {
  readonly bug: Bug;
  /** The plan that caught the bug; null when none did. */
  readonly caughtBy: string | null;
  /** The violations of that plan. */
  readonly wrong: readonly string[];
  /** The number of plans tried. */
  readonly tries: number;
  readonly ms: number;
  /** Plans that the unmodified product fails too, so that they prove nothing. */
  readonly unsound: readonly string[];
}

const cleanly = new Map<string, Promise<readonly string[]>>();

/** The violations of the unmodified product under a plan, computed once for each plan. */
function wrongAnyway(plan: Plan): Promise<readonly string[]> {
  const text = sayPlan(plan);
  const known = cleanly.get(text) ?? verify(plan).then(({ wrong }) => wrong);
  cleanly.set(text, known);
  return known;
}

/** The inputs of a hunt besides the bug. */
export interface Hunt {
  readonly subject: FaultSubject;
  readonly mostTries: number;
  readonly hosting: Hosting;
  /** Tried before all other plans. */
  readonly first: Plan | null;
}

async function* starting(first: Plan | null, others: AsyncIterable<Plan>): AsyncGenerator<Plan> {
  if (first) yield first;
  yield* others;
}

/** Tries plans until one catches the bug while the unmodified product passes it. */
export async function hunt(bug: Bug, { subject, mostTries, hosting, first }: Hunt): Promise<Hunted> {
  const from = performance.now();
  const unsound: string[] = [];
  let tries = 0;
  const ended = (caughtBy: string | null, wrong: readonly string[]): Hunted => ({
    bug,
    caughtBy,
    wrong,
    tries,
    ms: performance.now() - from,
    unsound,
  });
  for await (const plan of starting(first, plansFor(bug, subject))) {
    if (tries === mostTries) break;
    tries++;
    const wrong = await wrongWith(bug, plan, hosting);
    if (wrong.length === 0) continue;
    if ((await wrongAnyway(plan)).length === 0) return ended(sayPlan(plan), wrong);
    unsound.push(sayPlan(plan));
  }
  return ended(null, []);
}
