import type { Plan } from './plan/plan.ts';
import type { Trouble } from './plan/trouble.ts';
import { type Verified, verify } from './verify.ts';

/** Slightly simpler plans than this one, the simplest first. */
function* simpler(plan: Plan): Generator<Plan> {
  const { troubles } = plan;
  for (const [index] of troubles.entries())
    if (troubles.length > 1) yield { ...plan, troubles: troubles.toSpliced(index, 1) };
  for (const [index, trouble] of troubles.entries())
    for (const less of smaller(trouble)) yield { ...plan, troubles: troubles.with(index, less) };
}

function* smaller(trouble: Trouble): Generator<Trouble> {
  if ('for' in trouble && trouble.for !== undefined && trouble.for > 1) yield { ...trouble, for: trouble.for - 1 };
  if ('changes' in trouble && trouble.changes > 1)
    yield { ...trouble, changes: (trouble.changes - 1) as typeof trouble.changes };
  if ('ms' in trouble && trouble.ms > 1_000 && trouble.is !== 'stands')
    yield { ...trouble, ms: Math.floor(trouble.ms / 2) };
}

const mostTries = 60;

/** The simplest plan found that still fails. */
export async function shrink(found: Verified): Promise<Verified> {
  let least = found;
  let tries = 0;
  for (;;) {
    let better: Verified | null = null;
    for (const plan of simpler(least.plan)) {
      if (++tries > mostTries) return least;
      const tried = await verify(plan);
      if (tried.wrong.length === 0) continue;
      better = tried;
      break;
    }
    if (!better) return least;
    least = better;
  }
}
