import { isWhole, seed } from '../support/share.ts';
import { type Plan, sayPlan } from './plan/plan.ts';
import type { Trouble } from './plan/trouble.ts';
import { subjects } from './subjects/all.ts';
import type { FaultSubject, Path } from './subjects/subject.ts';
import { type Ran, run } from './environment/run.ts';
import { timelineOf } from './environment/log.ts';

/** The paths of a subject that a suite takes: all of them, or one by the seed. */
const chosenPaths = ({ paths }: FaultSubject): readonly Path[] => (isWhole ? paths : paths.filter(isTurnOf(paths)));
const isTurnOf = (paths: readonly Path[]) => (_: Path, at: number) => at === seed % paths.length;

/** Every subject with the paths that a suite takes of it. */
export const restingSubjects: readonly FaultSubject[] = subjects.map((subject) => ({
  ...subject,
  paths: chosenPaths(subject),
}));

const lastMoments = 20;

/** The violations of a plan that count, with the plan and its last moments. */
export function wrongIn(plan: Plan, { faults, log }: Ran, counts: (fault: string) => boolean): readonly string[] {
  const wrong = faults.filter(counts);
  return wrong.length === 0 ? [] : ['', sayPlan(plan), ...wrong, ...timelineOf(log).slice(-lastMoments)];
}

/** All violations of a plan; one of which a fault never took effect tested nothing, but for paths without a call. */
export async function restless(plan: Plan): Promise<readonly string[]> {
  const ran = await run(plan);
  const untouched = ran.untouched.filter(({ is }) => is !== 'stands').map(({ is }) => `touches nothing: ${is}`);
  return wrongIn(plan, { ...ran, faults: [...ran.faults, ...untouched] }, () => true);
}

/** The plans of some troubles over the paths of a subject. */
export const plansOf = (subject: FaultSubject, troublesOf: (at: number) => readonly Trouble[]): readonly Plan[] =>
  subject.paths.map((path, at) => ({ subject, path, troubles: troublesOf(at) }));
