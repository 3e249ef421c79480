import { type Plan, sayPlan } from './plan/plan.ts';
import { ofKind, type Trouble } from './plan/trouble.ts';
import type { Planted } from './environment/planted.ts';
import { type Ran, run } from './environment/run.ts';
import { differences } from './environment/snapshot.ts';

/** The result of a plan with all its violations. */
export interface Verified {
  readonly plan: Plan;
  readonly ran: Ran;
  readonly wrong: readonly string[];
  /** Faults that never took effect. */
  readonly untouched: readonly Trouble[];
}

/** Faults that change the wanted state, and not only the difficulty of reaching it. */
const changing: readonly Trouble['is'][] = ['hand', 'handAfter'];

/** The number of additional passes that a disturbed path may take; a restart at rest takes them once more. */
const morePasses = 60;
const timesPasses = 3;
/** While a webhook is away, a write is tried every few seconds. */
const passesOfOutages = (troubles: readonly Trouble[]) =>
  ofKind(troubles, 'webhookAway').reduce((sum, { ms }) => sum + ms / 10_000, 0);
/** The tolerance within which an undisturbed path must converge. */
const lateMs = 1_000;

const references = new Map<string, Promise<Ran>>();

/** Whether the plan contains only faults that change the wanted state. */
export const isUndisturbed = ({ troubles }: Plan): boolean => troubles.every(({ is }) => changing.includes(is));

/** Runs the same plan without the faults that must leave no trace, once for each plan. */
export function referenceOf(plan: Plan): Promise<Ran> {
  const undisturbed = { ...plan, troubles: plan.troubles.filter(({ is }) => changing.includes(is)) };
  const text = sayPlan(undisturbed);
  const known = references.get(text) ?? run(undisturbed);
  references.set(text, known);
  return known;
}

/** The undisturbed result of the same path, against which a plan is compared. */
export type Reference = Pick<Ran, 'snapshot' | 'passes' | 'tookMs'>;

/** Null when there is no reference: directly after a call, the progress differs from run to run. */
export const heldTo = async (plan: Plan): Promise<Reference | null> =>
  ofKind(plan.troubles, 'handAfter').length > 0 ? null : referenceOf(plan);

/** Runs a plan and compares it with the same path undisturbed. */
export async function verify(plan: Plan, planted?: Planted): Promise<Verified> {
  return compared(plan, await run(plan, planted), await heldTo(plan));
}

/** Compares a finished plan with the same path undisturbed. */
export function compared(plan: Plan, ran: Ran, reference: Reference | null): Verified {
  const { faults, untouched } = ran;
  if (reference === null) return { plan, ran, wrong: faults, untouched };
  const { mayDiffer = () => false } = plan.path;
  const differ = differences(ran.snapshot, reference.snapshot).filter((one) => !mayDiffer(one, plan.troubles));
  const undisturbed = isUndisturbed(plan);
  const times = timesPasses * (1 + ofKind(plan.troubles, 'restarts', 'handsOver').length);
  const most = undisturbed ? reference.passes : times * reference.passes + morePasses + passesOfOutages(plan.troubles);
  const slow = ran.passes > most ? [`took ${ran.passes} passes, at most ${most} are right`] : [];
  const late =
    undisturbed && ran.tookMs > reference.tookMs + lateMs
      ? [`came to rest after ${ran.tookMs / 1_000} s, ${reference.tookMs / 1_000} s are right`]
      : [];
  return { plan, ran, wrong: [...faults, ...differ, ...slow, ...late], untouched };
}
