import * as fc from 'fast-check';
import { invariantFault } from './explore.ts';
import { brokenSteps, type Broken, holdsIn } from './search.ts';
import type { Fault } from './outcome.ts';
import type { LifeStep } from './life.ts';
import type { Run } from './run.ts';
import { modelOf, stepsOf } from './world.ts';

const walksTaken = 200;
const longest = 40;

export interface Walked {
  readonly rows: Readonly<Record<string, number>>;
  readonly broken: readonly Broken[];
}

class BrokenWalk extends Error {
  readonly broken: Broken;
  constructor(broken: Broken) {
    super(broken.fault.text);
    this.broken = broken;
  }
}

/** Random lives without a bound; a life that violates an invariant is shrunk before it is reported. */
export function walk(run: Run, walks = walksTaken): Walked {
  const rows: Record<string, number> = {};
  const choices = fc.array(fc.nat({ max: 1_000 }), { maxLength: longest });
  const start = fc.nat({ max: Math.max(modelOf(run).start.length - 1, 0) });
  const details = fc.check(
    fc.property(start, choices, (first, chosen) => {
      const broken = walkOnce(run, first, chosen, rows);
      if (broken !== null) throw new BrokenWalk(broken);
    }),
    { seed: run.seed, numRuns: walks },
  );
  const { errorInstance } = details;
  if (!details.failed) return { rows, broken: [] };
  if (errorInstance instanceof BrokenWalk) return { rows, broken: [errorInstance.broken] };
  throw errorInstance;
}

/** One life: each step is chosen among all that the world can take. */
function walkOnce(run: Run, first: number, chosen: readonly number[], rows: Record<string, number>): Broken | null {
  const model = modelOf(run);
  const invariants = Object.entries(model.invariants);
  const life: LifeStep[] = [{ label: '', world: model.start[first] }];
  for (const choice of chosen) {
    const before = life.at(-1)?.world;
    const steps = stepsOf(run, before);
    const taken = steps[choice % steps.length];
    if (!taken) return null;
    life.push({ label: taken.label, world: taken.world });
    if (taken.row !== null) rows[taken.row] = (rows[taken.row] ?? 0) + 1;
    const faults: Fault[] = [
      ...taken.faults,
      ...invariants
        .filter(([, invariant]) => holdsIn(invariant, taken.world) === false)
        .map(([name]) => invariantFault(run, name, 'is broken')),
      ...brokenSteps(invariants, { before, after: taken.world, label: taken.label }, {}).map((name) =>
        invariantFault(run, name, 'is broken by the last step'),
      ),
    ];
    const [fault] = faults;
    if (fault) return { fault, life };
  }
  return null;
}
