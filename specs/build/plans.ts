import * as assert from 'uvu/assert';
import type { Blow, End, Path, Plan } from '../crash/plan.ts';
import { runPlan } from '../crash/run.ts';

const steady = { blows: [], lagging: false, twins: false } as const;

/** The end of a path that nothing disturbs. */
export const undisturbed = (path: Path): Promise<End> => runPlan({ ...steady, path });

const text = ({ path, blows, lagging, twins }: Plan) =>
  `${path.name}: ${blows.map(({ is, at }) => `${is} at write ${at}`).join(', then ') || 'undisturbed'}${
    lagging ? ', lagging' : ''
  }${twins ? ', two leaders' : ''}`;

/** Runs a plan; it must end as its path does when nothing disturbs it. */
export async function endsAlike(plan: Plan, end: End): Promise<End> {
  const ended = await runPlan(plan);
  const what = ({ build, jobs, stored, faults }: End) => ({ build, jobs, stored, faults });
  const allowed = [what(end), ...plan.path.mayEnd.map((change) => what({ ...end, ...change(end) }))];
  const found = JSON.stringify(sorted(what(ended)));
  if (!allowed.some((one) => JSON.stringify(sorted(one)) === found))
    assert.equal(sorted(what(ended)), sorted(what(end)), text(plan));
  return ended;
}

const sorted = <T extends { readonly build: object }>(end: T): T => ({
  ...end,
  build: Object.fromEntries(Object.entries(end.build).toSorted(([a], [b]) => (a < b ? -1 : 1))),
});

/** Every write of a path that may be struck. */
export const writesOf = ({ writes }: End): readonly number[] =>
  Array.from({ length: writes.at(-1) ?? 0 }, (_, index) => index + 1);

/** A plan of one blow. */
export const once = (path: Path, blow: Blow, lagging = false): Plan => ({ ...steady, path, blows: [blow], lagging });
