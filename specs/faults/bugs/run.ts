import { type Plan, readPlan } from '../plan/plan.ts';
import { subjects } from '../subjects/all.ts';
import { buildSubject } from '../subjects/build.ts';
import type { FaultSubject } from '../subjects/subject.ts';
import { bugs } from './all.ts';
import type { Bug } from './bug.ts';
import { causeBugs } from './causeBugs.ts';
import { makeHosting, makeReplaceable } from './hosting.ts';
import { hunt, type Hunted } from './hunt.ts';
import { shownBy } from './shown.ts';

export interface BugOptions {
  /** Selects bugs whose name or family contains this text. */
  readonly only?: string;
  /** The maximum number of plans for each bug. */
  readonly mostTries: number;
  /** Begins with the plan that last caught each bug. */
  readonly asShown?: boolean;
  readonly atATime: number;
  readonly onHunted?: (hunted: Hunted) => void;
}

const isMeant = ({ name, family }: Bug, only: string | undefined): boolean =>
  only === undefined || name.includes(only) || family.includes(only);

/** A bug, and the plan that shows it, if it names one itself. */
type Told = Bug & { readonly plan?: string };

/** The hunt for a bug begins with the plan that it names, or with the one that caught it last. */
function beginning(bug: Told, asShown: boolean): { readonly subject: FaultSubject; readonly first: Plan | null } {
  const named = bug.plan === undefined ? null : readPlan(bug.plan, subjects);
  if (typeof named === 'string') throw new Error(named);
  if (named !== null) return { subject: named.subject, first: named };
  return { subject: buildSubject, first: asShown ? shownBy(bug) : null };
}

/** Hunts every selected bug, several at a time. */
export async function runBugs({
  only,
  mostTries,
  atATime,
  asShown = false,
  onHunted,
}: BugOptions): Promise<readonly Hunted[]> {
  const left: Told[] = [...bugs, ...causeBugs].filter((bug) => isMeant(bug, only));
  const done: Hunted[] = [];
  const replaceable = makeReplaceable();
  const work = async () => {
    const hosting = makeHosting(replaceable);
    try {
      for (let bug = left.shift(); bug; bug = left.shift()) {
        const hunted = await hunt(bug, { ...beginning(bug, asShown), mostTries, hosting });
        done.push(hunted);
        onHunted?.(hunted);
      }
    } finally {
      hosting.end();
    }
  };
  try {
    await Promise.all(Array.from({ length: atATime }, work));
  } finally {
    await replaceable.end();
  }
  return done;
}
