import type { Fault } from '../outcome.ts';
import type { LifeStep } from '../life.ts';
import { type Broken, brokenSteps, type Explored, holdsIn, search } from '../search.ts';
import { numbers } from '../../support/random.ts';
import type { AnyJoint } from './joint.ts';
import { keyOf, jointSpace } from './steps.ts';

/** The result of a joint search, and how long it took. */
export interface Joined extends Explored {
  readonly joint: AnyJoint;
  readonly walked: ReadonlySet<string>;
  readonly ms: number;
}

const fileOf = ({ name }: AnyJoint) => `specs/lifecycles/joint/${name}.ts`;

const violated = (of: AnyJoint, name: string, how: string): Fault => ({
  check: 'invariants',
  at: [fileOf(of)],
  text: `${name} ${how}: ${of.invariants[name]?.holds ?? ''}`,
});

/** Read off the processor, because others may be at work on the machine. */
function processorMs(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

/**
 * Searches the worlds of all machines of an object together, breadth first; stops at a named invariant if one is given.
 */
export function exploreJoint(of: AnyJoint, most: number = of.budget.worlds, until?: string): Joined {
  const begun = process.cpuUsage();
  const space = jointSpace(of);
  const fault = (check: Fault['check'], text: string): Fault => ({ check, at: [fileOf(of)], text });
  const explored = search(
    {
      start: of.start,
      invariants: of.invariants,
      within: (world) => of.within(world),
      key: keyOf,
      steps: (world) => space.steps(world),
      violated: (name, how) => violated(of, name, how),
      round: (world) => {
        const row = space.requeuesNow(world);
        return row === undefined
          ? null
          : fault('walks', `${row} changes nothing and requeues at once: it loops forever`);
      },
      restless: () => fault('invariants', 'passes alone never converge: they loop'),
    },
    most,
    until,
  );
  return { ...explored, joint: of, walked: space.walked, ms: processorMs(begun) };
}

/** The number of random lives, and of the steps of each. */
interface Walks {
  readonly seed: number;
  readonly lives: number;
  readonly steps: number;
}

/**
 * Random lives; returns the first that violates an invariant, or null. Invariants about the end of a life are not
 * checked.
 */
export function walkJoint(of: AnyJoint, { seed, lives, steps }: Walks): Broken | null {
  const space = jointSpace(of);
  const next = numbers(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const invariants = Object.entries(of.invariants);
  for (let count = 0; count < lives; count++) {
    const life: LifeStep[] = [{ label: '', world: pick(of.start) }];
    for (let step = 0; step < steps; step++) {
      const before = life.at(-1)?.world;
      const taken = of.within(before) ? pick(space.steps(before)) : undefined;
      if (!taken) break;
      life.push(taken);
      const broken = [
        ...invariants.filter(([, invariant]) => holdsIn(invariant, taken.world) === false).map(([name]) => name),
        ...brokenSteps(invariants, { before, after: taken.world, label: taken.label }, {}),
      ].map((name) => violated(of, name, 'is broken'));
      const [fault] = [...taken.faults, ...broken];
      if (fault) return { fault, life };
    }
  }
  return null;
}
