import type { Fault, Searched } from './outcome.ts';
import type { Life } from './life.ts';
import type { Invariant } from './subject.ts';
import { widestOf } from './widest.ts';
import type { Taken } from './world.ts';

/** The number of disagreements that one search reports; the rest follow from them. */
const mostFaults = 5;

/** A world, and how the search reached it. */
interface VisitedWorld {
  readonly world: unknown;
  readonly from: number | null;
  readonly label: string;
  /** The next worlds when nobody interferes. */
  readonly undisturbed: number[];
  /** The world after one pass, if it changes anything. */
  pass: number | null;
  /** False for a world outside the bound, which is not explored further. */
  opened: boolean;
}

/** A life that violates an invariant, as the labels of its steps. */
export interface Broken {
  readonly fault: Fault;
  readonly life: Life;
}

export interface Explored {
  readonly searched: Searched;
  /** The names of the violated invariants. */
  readonly brokenInvariants: ReadonlySet<string>;
  readonly rows: Readonly<Record<string, number>>;
  readonly broken: readonly Broken[];
}

type Named = readonly (readonly [string, Invariant<unknown>])[];

/** The search problem: the initial worlds, the possible steps of each, and the invariants. */
export interface Space {
  readonly start: readonly unknown[];
  readonly invariants: Readonly<Record<string, Invariant<unknown>>>;
  within(world: unknown): boolean;
  /** A key that is the same for equal worlds. */
  key(world: unknown): string;
  steps(world: unknown): readonly Taken[];
  /** The report about a violated invariant. */
  violated(name: string, how: string): Fault;
  /** The report about a step that changes nothing and is repeated at once; null if there is none. */
  round(world: unknown, taken: Taken): Fault | null;
  /** The report about passes that never converge. */
  restless(): Fault;
}

/**
 * Explores every world inside the bound, breadth first, so that the reported life of a violation is a shortest one;
 * stops at a named invariant if one is given.
 */
export function search(space: Space, most: number, until?: string): Explored {
  const invariants = Object.entries(space.invariants);
  const found: VisitedWorld[] = [];
  const known = new Map<string, number>();
  const rows: Record<string, number> = {};
  const checked: Record<string, number> = Object.fromEntries(invariants.map(([name]) => [name, 0]));
  const broken: Broken[] = [];
  const brokenInvariants = new Set<string>();
  let steps = 0;

  const lifeTo = (index: number): Life => {
    const at = found[index];
    if (!at) return [];
    return [...(at.from === null ? [] : lifeTo(at.from)), { label: at.label, world: at.world }];
  };
  const report = (fault: Fault, life: Life) => {
    if (broken.length < mostFaults && !broken.some((other) => other.fault.text === fault.text))
      broken.push({ fault, life });
  };
  const reportViolation = (name: string, how: string, life: Life) => {
    brokenInvariants.add(name);
    report(space.violated(name, how), life);
  };
  const enter = (world: unknown, from: number | null, label: string): number => {
    const key = space.key(world);
    const before = known.get(key);
    if (before !== undefined) return before;
    const index = found.push({ world, from, label, undisturbed: [], pass: null, opened: false }) - 1;
    known.set(key, index);
    for (const [name, invariant] of invariants) {
      const holds = holdsIn(invariant, world);
      if (holds === null) continue;
      checked[name] = (checked[name] ?? 0) + 1;
      if (!holds) reportViolation(name, 'is broken', lifeTo(index));
    }
    return index;
  };
  const follow = (index: number, at: VisitedWorld, taken: Taken) => {
    const { label, world, row, undisturbed, faults } = taken;
    steps++;
    if (row !== null) rows[row] = (rows[row] ?? 0) + 1;
    for (const fault of faults) report(fault, [...lifeTo(index), { label, world }]);
    for (const name of brokenSteps(invariants, { before: at.world, after: world, label }, checked))
      reportViolation(name, 'is broken by the last step', [...lifeTo(index), { label, world }]);
    const next = enter(world, index, label);
    const round = next === index && label.startsWith('pass: ') ? space.round(at.world, taken) : null;
    if (round) report(round, [...lifeTo(index), { label, world }]);
    if (next === index || !undisturbed) return;
    at.undisturbed.push(next);
    if (label.startsWith('pass: ')) at.pass = next;
  };

  const isFound = () => until !== undefined && brokenInvariants.has(until);
  for (const world of space.start) enter(world, null, '');
  for (let index = 0; index < found.length && found.length < most && !isFound(); index++) {
    const at = found[index];
    if (!at || !space.within(at.world)) continue;
    at.opened = true;
    for (const taken of space.steps(at.world)) follow(index, at, taken);
  }
  const exhaustive = found.length < most && !isFound();
  const lifeOn = (index: number) => [...lifeTo(index), ...undisturbedLife(found, index)];
  for (const { name, index } of unfulfilled(found, invariants, checked))
    reportViolation(name, 'is never reached, left alone', lifeOn(index));
  const going = livelock(found);
  if (going !== null) report(space.restless(), lifeOn(going));
  const widest = exhaustive ? null : widestOf(found.map(({ world }) => world));
  const searched = { worlds: found.length, steps, exhaustive, widest, invariants: checked };
  return { brokenInvariants, searched, rows, broken };
}

/** Whether a world satisfies an invariant; null if it is not about single worlds. */
export function holdsIn(invariant: Invariant<unknown>, world: unknown): boolean | null {
  if ('always' in invariant) return invariant.always(world);
  if ('never' in invariant) return !invariant.never(world);
  return null;
}

export interface Stepped {
  readonly before: unknown;
  readonly after: unknown;
  readonly label: string;
}

/** The names of the invariants over steps that one step violates. */
export function brokenSteps(
  invariants: Named,
  { before, after, label }: Stepped,
  checked: Record<string, number>,
): readonly string[] {
  return invariants
    .filter(([name, invariant]) => {
      if (!('alwaysStep' in invariant)) return false;
      checked[name] = (checked[name] ?? 0) + 1;
      return !invariant.alwaysStep(before, after, label);
    })
    .map(([name]) => name);
}

/**
 * Worlds from which an undisturbed life may never reach what an invariant demands. A world fulfils it if it holds there,
 * or if every undisturbed step leads to a world that fulfils it; worlds outside the bound are not judged.
 */
function unfulfilled(
  found: readonly VisitedWorld[],
  invariants: Named,
  checked: Record<string, number>,
): readonly { readonly name: string; readonly index: number }[] {
  return invariants.flatMap(([name, invariant]) => {
    if (!('eventually' in invariant)) return [];
    checked[name] = found.length;
    const left = found.map(({ undisturbed }) => new Set(undisturbed).size);
    const leadsTo = found.map((): number[] => []);
    for (const [index, { undisturbed }] of found.entries())
      for (const next of new Set(undisturbed)) leadsTo[next]?.push(index);
    const fulfils = new Set<number>();
    const queue = [...found.keys()].filter((index) => {
      const at = found[index];
      return at !== undefined && (!at.opened || invariant.eventually(at.world));
    });
    for (const index of queue) fulfils.add(index);
    for (let index = queue.pop(); index !== undefined; index = queue.pop())
      for (const before of leadsTo[index] ?? []) {
        left[before] = (left[before] ?? 0) - 1;
        if (left[before] !== 0 || fulfils.has(before)) continue;
        fulfils.add(before);
        queue.push(before);
      }
    const index = [...found.keys()].find((each) => !fulfils.has(each));
    return index === undefined ? [] : [{ name, index }];
  });
}

/** A world from which passes alone loop forever. */
function livelock(found: readonly VisitedWorld[]): number | null {
  const seen = new Map<number, number>();
  for (const start of found.keys()) {
    let at: number | null = start;
    while (at !== null && !seen.has(at)) {
      seen.set(at, start);
      at = found[at]?.pass ?? null;
    }
    if (at !== null && seen.get(at) === start) return at;
  }
  return null;
}

/** The undisturbed continuation of a life from a world, a few steps long. */
function undisturbedLife(found: readonly VisitedWorld[], from: number): Life {
  const steps: { label: string; world: unknown }[] = [];
  const seen = new Set<number>();
  let at = found[from];
  for (let index = from; at && !seen.has(index) && steps.length < 12; at = found[index]) {
    seen.add(index);
    const next: number | undefined = at.pass ?? at.undisturbed[0];
    const to = next === undefined ? undefined : found[next];
    if (next === undefined || !to) break;
    steps.push({ label: at.pass === next ? 'pass, left alone' : 'time, left alone', world: to.world });
    index = next;
  }
  return steps;
}
