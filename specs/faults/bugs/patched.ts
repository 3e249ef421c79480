import { readPlan } from '../plan/plan.ts';
import { buildSubject } from '../subjects/build.ts';
import { compared, type Reference } from '../verify.ts';
import { run } from '../world/run.ts';

/** What is asked of a patched product: a plan as it is said, and how its path ends in the product as it is. */
export interface Question {
  readonly plan: string;
  readonly reference: Reference | null;
}

/** Entry of the patched bundle: what is wrong with it under a plan. */
export async function answer({ plan: text, reference }: Question): Promise<readonly string[]> {
  const plan = readPlan(text, [buildSubject]);
  if (typeof plan === 'string') throw new Error(plan);
  return compared(plan, await run(plan), reference).wrong;
}
