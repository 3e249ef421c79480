import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plan, sayPlan } from '../plan/plan.ts';
import { heldTo, verify } from '../verify.ts';
import type { Patch, Plant } from './bug.ts';
import type { Hosting } from './hosting.ts';
import { bundlePatched } from './patchedBundle.ts';

/** The product with a planted bug: returns its violations under a plan. */
export interface Trier {
  readonly wrong: (plan: Plan) => Promise<readonly string[]>;
  readonly end: () => void;
}

async function patchedTrier(patches: readonly Patch[], hosting: Hosting): Promise<Trier> {
  const folder = mkdtempSync(join(tmpdir(), 'core-bug-'));
  const end = () => rmSync(folder, { recursive: true, force: true });
  const program = await bundlePatched(patches, { folder }).catch((thrown: unknown) => {
    end();
    throw thrown;
  });
  const wrong = async (plan: Plan) => {
    const held = await heldTo(plan);
    const reference = held && { snapshot: held.snapshot, passes: held.passes, tookMs: held.tookMs };
    return hosting.ask({ program, plan: sayPlan(plan), reference });
  };
  return { wrong, end };
}

/** Plants a bug. */
export const planted = async (plant: Plant, hosting: Hosting): Promise<Trier> =>
  plant.is === 'source'
    ? patchedTrier(plant.patches, hosting)
    : { wrong: async (plan) => (await verify(plan, plant)).wrong, end: () => {} };
