import { digestOf } from './digest.ts';
import { sayPlan } from './plan/plan.ts';
import { type Extent, type Planned, productOf } from './plan/product.ts';
import { sayTrouble } from './plan/trouble.ts';
import { shrink } from './shrink.ts';
import type { FaultSubject, Path } from './subjects/subject.ts';
import { type Verified, verify } from './verify.ts';
import { timelineOf } from './environment/log.ts';

/** One failed plan, in a form that can be read and repeated. */
export interface Violation {
  readonly lifecycle: string;
  readonly pattern: string;
  /** The plan as found, and the simplest plan that still fails. */
  readonly plan: string;
  readonly shortest: string;
  readonly wrong: readonly string[];
  readonly timeline: readonly string[];
}

/** The results of the plans of one pattern. */
export interface Row {
  readonly lifecycle: string;
  readonly pattern: string;
  readonly plans: number;
  readonly violations: number;
  readonly ms: number;
}

export interface Tried {
  readonly rows: readonly Row[];
  readonly violations: readonly Violation[];
  /** A line for each plan. */
  readonly digests: readonly string[];
}

export interface Trial extends Extent {
  readonly wanted: (pattern: string) => boolean;
}

/** Violations reported in full for each pattern of a path; the others are only counted. */
const toldInFull = 2;

/** In these patterns one fault may prevent another, because a process with delayed events may have less to do. */
const mixtures = ['several at once', 'crash, stale cache', 'read refused, stale cache'];

/** Whether a fault of the plan never took effect. */
const isVacuous = ({ pattern, plan }: Planned, { untouched }: Verified) =>
  mixtures.includes(pattern) ? untouched.length === plan.troubles.length : untouched.length > 0;

async function tell({ pattern, plan }: Planned, found: Verified): Promise<Violation> {
  const least = found.wrong.length > 0 ? await shrink(found) : found;
  const vacuous = found.untouched.map((trouble) => `touches nothing: ${sayTrouble(trouble)}`);
  return {
    lifecycle: plan.subject.name,
    pattern,
    plan: sayPlan(plan),
    shortest: sayPlan(least.plan),
    wrong: found.wrong.length > 0 ? least.wrong : vacuous,
    timeline: timelineOf(least.ran.log),
  };
}

/** Runs the product of one path, or a part of it. */
export async function tryPath(subject: FaultSubject, path: Path, trial: Trial): Promise<Tried> {
  const rows = new Map<string, Row>();
  const violations: Violation[] = [];
  const digests: string[] = [];
  for await (const planned of productOf(subject, path, trial, trial.wanted)) {
    const from = performance.now();
    const verified = await verify(planned.plan);
    digests.push(digestOf(verified));
    const isEmpty = isVacuous(planned, verified);
    const isWrong = verified.wrong.length > 0 || isEmpty;
    const { pattern } = planned;
    const row = rows.get(pattern) ?? { lifecycle: subject.name, pattern, plans: 0, violations: 0, ms: 0 };
    rows.set(pattern, {
      ...row,
      plans: row.plans + 1,
      violations: row.violations + (isWrong ? 1 : 0),
      ms: row.ms + performance.now() - from,
    });
    if (!isWrong || row.violations >= toldInFull) continue;
    violations.push(await tell(planned, verified));
  }
  return { rows: [...rows.values()], violations, digests };
}

/** Adds up the rows of each pattern. */
export function added(rows: readonly Row[]): readonly Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = `${row.lifecycle} ${row.pattern}`;
    const sum = sums.get(key) ?? { ...row, plans: 0, violations: 0, ms: 0 };
    sums.set(key, {
      ...sum,
      plans: sum.plans + row.plans,
      violations: sum.violations + row.violations,
      ms: sum.ms + row.ms,
    });
  }
  return [...sums.values()];
}
