import { type Plan, sayPlan } from '../plan/plan.ts';
import { heldTo, verify } from '../verify.ts';
import type { Bug } from './bug.ts';
import type { Hosting } from './hosting.ts';

/** The violations of the product with a bug under a plan. */
export async function wrongWith({ name, plant }: Bug, plan: Plan, hosting: Hosting): Promise<readonly string[]> {
  if (plant.is === 'around') return (await verify(plan, plant)).wrong;
  const held = await heldTo(plan);
  const reference = held && { snapshot: held.snapshot, passes: held.passes, tookMs: held.tookMs };
  return (await hosting.ask({ bug: name, plan: sayPlan(plan), reference })).wrong;
}
