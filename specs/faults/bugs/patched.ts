import { readPlan } from '../plan/plan.ts';
import { buildSubject } from '../subjects/build.ts';
import { compared, type Reference } from '../verify.ts';
import { run } from '../world/run.ts';

/** A question to a patched product: a plan as text, and the result of its path in the unmodified product. */
export interface Question {
  readonly plan: string;
  readonly reference: Reference | null;
}

/** Entry point of the patched bundle: returns its violations under a plan. */
export async function answer({ plan: text, reference }: Question): Promise<readonly string[]> {
  const plan = readPlan(text, [buildSubject]);
  if (typeof plan === 'string') throw new Error(plan);
  return compared(plan, await run(plan), reference).wrong;
}
