import { type Plan, sayPlan } from '../plan/plan.ts';
import type { FaultSubject } from '../subjects/subject.ts';
import { verify } from '../verify.ts';
import type { Bug } from './bug.ts';
import type { Hosting } from './hosting.ts';
import { plansFor } from './order.ts';
import { planted } from './trier.ts';

/** How the hunt for one bug went. */
export interface Hunted {
  readonly bug: Bug;
  /** The plan that showed it, null when none did. */
  readonly caughtBy: string | null;
  /** What was wrong then. */
  readonly wrong: readonly string[];
  /** Plans that were tried. */
  readonly tries: number;
  readonly ms: number;
  /** Plans that the product as it is does not hold either: what they catch means nothing. */
  readonly unsound: readonly string[];
}

const cleanly = new Map<string, Promise<readonly string[]>>();

/** What is wrong with the product as it is under a plan; asked once for each. */
function wrongAnyway(plan: Plan): Promise<readonly string[]> {
  const text = sayPlan(plan);
  const known = cleanly.get(text) ?? verify(plan).then(({ wrong }) => wrong);
  cleanly.set(text, known);
  return known;
}

/** What a hunt needs beside the bug. */
export interface Hunt {
  readonly subject: FaultSubject;
  readonly mostTries: number;
  readonly hosting: Hosting;
  /** Tried before all others. */
  readonly first: Plan | null;
}

async function* starting(first: Plan | null, others: AsyncIterable<Plan>): AsyncGenerator<Plan> {
  if (first) yield first;
  yield* others;
}

/** Tries plans until one shows the bug, and no other than the bug. */
export async function hunt(bug: Bug, { subject, mostTries, hosting, first }: Hunt): Promise<Hunted> {
  const from = performance.now();
  const trier = await planted(bug.plant, hosting);
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
  try {
    for await (const plan of starting(first, plansFor(bug, subject))) {
      if (tries === mostTries) break;
      tries++;
      const wrong = await trier.wrong(plan);
      if (wrong.length === 0) continue;
      if ((await wrongAnyway(plan)).length === 0) return ended(sayPlan(plan), wrong);
      unsound.push(sayPlan(plan));
    }
    return ended(null, []);
  } finally {
    trier.end();
  }
}
