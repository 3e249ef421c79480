import { type Plan, sayPlan } from './plan/plan.ts';
import { ofKind, type Trouble } from './plan/trouble.ts';
import type { Planted } from './world/planted.ts';
import { type Ran, run } from './world/run.ts';
import { differences } from './world/snapshot.ts';

/** How a plan went, and all that is wrong with that. */
export interface Verified {
  readonly plan: Plan;
  readonly ran: Ran;
  readonly wrong: readonly string[];
  /** Troubles that touched nothing: what was meant to be tried was not. */
  readonly untouched: readonly Trouble[];
}

/** Troubles that change what is wanted, and not only how hard it is to come by. */
const changing: readonly Trouble['is'][] = ['hand', 'handAfter'];

/** Disturbed, a path may take so many passes more than undisturbed. */
const morePasses = 60;
const timesPasses = 3;
/** Undisturbed it comes to rest as early as ever. */
const lateMs = 1_000;

const references = new Map<string, Promise<Ran>>();

/** Whether nothing goes wrong in it but what changes what is wanted. */
export const isCalm = ({ troubles }: Plan): boolean => troubles.every(({ is }) => changing.includes(is));

/** The same plan without what should leave no trace. Run once for each. */
export function referenceOf(plan: Plan): Promise<Ran> {
  const calm = { ...plan, troubles: plan.troubles.filter(({ is }) => changing.includes(is)) };
  const text = sayPlan(calm);
  const known = references.get(text) ?? run(calm);
  references.set(text, known);
  return known;
}

/** What a plan is held to: how the same path ended undisturbed. */
export type Reference = Pick<Ran, 'snapshot' | 'passes' | 'tookMs'>;

/** Null where nothing is to be held against: right behind a call, what was done so far differs from run to run. */
export const heldTo = async (plan: Plan): Promise<Reference | null> =>
  ofKind(plan.troubles, 'handAfter').length > 0 ? null : referenceOf(plan);

/** Runs a plan and holds it to the same path undisturbed. */
export async function verify(plan: Plan, planted?: Planted): Promise<Verified> {
  return compared(plan, await run(plan, planted), await heldTo(plan));
}

/** Holds a plan that was run to the same path undisturbed. */
export function compared(plan: Plan, ran: Ran, reference: Reference | null): Verified {
  const { faults, untouched } = ran;
  if (reference === null) return { plan, ran, wrong: faults, untouched };
  const { mayDiffer = () => false } = plan.path;
  const differ = differences(ran.snapshot, reference.snapshot).filter((one) => !mayDiffer(one));
  const calm = isCalm(plan);
  const most = calm ? reference.passes : timesPasses * reference.passes + morePasses;
  const slow = ran.passes > most ? [`took ${ran.passes} passes, at most ${most} are right`] : [];
  const late =
    calm && ran.tookMs > reference.tookMs + lateMs
      ? [`came to rest after ${ran.tookMs / 1_000} s, ${reference.tookMs / 1_000} s are right`]
      : [];
  return { plan, ran, wrong: [...faults, ...differ, ...slow, ...late], untouched };
}
