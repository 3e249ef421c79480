import type { Fault } from '../outcome.ts';
import type { LifeStep } from '../life.ts';
import { type Broken, brokenSteps, type Explored, holdsIn, search } from '../search.ts';
import { numbers } from '../../support/random.ts';
import type { AnyJoint } from './joint.ts';
import { keyOf, livedIn } from './steps.ts';

/** The result of a joint search, and how long it took. */
export interface Joined extends Explored {
  readonly joint: AnyJoint;
  readonly walked: ReadonlySet<string>;
  readonly ms: number;
}

const fileOf = ({ name }: AnyJoint) => `specs/lifecycles/joint/${name}.ts`;

const unkept = (of: AnyJoint, name: string, how: string): Fault => ({
  check: 'invariants',
  at: [fileOf(of)],
  text: `${name} ${how}: ${of.promises[name]?.holds ?? ''}`,
});

/**
 * Searches the worlds of all machines of an object together, breadth first; stops at a named invariant if one is given.
 */
export function exploreJoint(of: AnyJoint, most: number = of.budget.worlds, until?: string): Joined {
  const startedAt = performance.now();
  const lived = livedIn(of);
  const fault = (check: Fault['check'], text: string): Fault => ({ check, at: [fileOf(of)], text });
  const explored = search(
    {
      start: of.start,
      invariants: of.promises,
      within: (world) => of.within(world),
      key: keyOf,
      steps: (world) => lived.steps(world),
      unkept: (name, how) => unkept(of, name, how),
      round: (world) => {
        const row = lived.looksNow(world);
        return row === undefined
          ? null
          : fault('walks', `${row} changes nothing and is looked at again now: it goes round for ever`);
      },
      restless: () => fault('invariants', 'passes alone never come to rest: they go round'),
    },
    most,
    until,
  );
  return { ...explored, joint: of, walked: lived.walked, ms: performance.now() - startedAt };
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
  const lived = livedIn(of);
  const next = numbers(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const promises = Object.entries(of.promises);
  for (let count = 0; count < lives; count++) {
    const life: LifeStep[] = [{ label: '', world: pick(of.start) }];
    for (let step = 0; step < steps; step++) {
      const before = life.at(-1)?.world;
      const taken = of.within(before) ? pick(lived.steps(before)) : undefined;
      if (!taken) break;
      life.push(taken);
      const broken = [
        ...promises.filter(([, promise]) => holdsIn(promise, taken.world) === false).map(([name]) => name),
        ...brokenSteps(promises, { before, after: taken.world, label: taken.label }, {}),
      ].map((name) => unkept(of, name, 'is broken'));
      const [fault] = [...taken.faults, ...broken];
      if (fault) return { fault, life };
    }
  }
  return null;
}
