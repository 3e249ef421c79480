import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refused, type Told } from '../trace/told.ts';
import { tableOf } from './check.ts';
import type { Broken } from './explore.ts';
import { type LifeStep, lifeText } from './life.ts';
import { placesOf } from './places.ts';
import { runOf, type Run } from './run.ts';
import type { AnySubject } from './subject.ts';
import { keyOf, modelOf, stepsOf } from './world.ts';

/** A life that broke a promise: the world it began in, and what happened. */
export interface Counterexample {
  readonly lifecycle: string;
  readonly fault: string;
  readonly start: unknown;
  readonly steps: readonly string[];
}

/** Keeps the broken lives of one lifecycle as files, in place of those of the run before; returns their names. */
export function keepCounterexamples(folder: string, lifecycle: string, broken: readonly Broken[]): readonly string[] {
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) if (old.startsWith(`${lifecycle}-`)) rmSync(join(folder, old));
  return broken
    .filter(({ life }) => life.length > 0)
    .map(({ fault, life }, index) => {
      const [first, ...rest] = life;
      const kept: Counterexample = {
        lifecycle,
        fault: fault.text,
        start: first?.world,
        steps: rest.map(({ label }) => label),
      };
      const file = join(folder, `${lifecycle}-${index + 1}.json`);
      writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
      return file;
    });
}

const isCounterexample = (value: unknown): value is Counterexample =>
  typeof value === 'object' &&
  value !== null &&
  'lifecycle' in value &&
  typeof value.lifecycle === 'string' &&
  'start' in value &&
  'steps' in value &&
  Array.isArray(value.steps) &&
  value.steps.every((step) => typeof step === 'string');

/** Reads a kept counterexample; a text says why it cannot be. */
export function readCounterexample(file: string): Counterexample | string {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isCounterexample(read) ? read : `${file} is no counterexample: it needs lifecycle, start and steps`;
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Lives the kept life again with the machine, the rules and the table as they are now. */
export function replay(subject: AnySubject, { start, steps, fault }: Counterexample): Told {
  const run = runOf({ subject, table: tableOf(subject.name), places: placesOf(subject.files), seed: 0 });
  const life: LifeStep[] = [{ label: '', world: start }];
  for (const label of steps) {
    const taken = nextOf(run, life.at(-1)?.world, label);
    if (taken === null)
      return {
        lines: [lifeText(run, life), `then "${label}" cannot happen any more: this life is no longer possible`],
        exit: 0,
      };
    life.push(taken.step);
    if (taken.faults.length > 0) return { lines: [lifeText(run, life), ...taken.faults], exit: 1 };
  }
  if (life.length === 1) return refused('the counterexample has no step');
  return {
    lines: [lifeText(run, life), `this life is still possible; it was kept because: ${fault}`],
    exit: 1,
  };
}

interface Next {
  readonly step: LifeStep;
  readonly faults: readonly string[];
}

/** The step with this label; what a life is left alone to do is found by what it does. */
function nextOf(run: Run, world: unknown, label: string): Next | null {
  const steps = stepsOf(run, world);
  const alone = label.endsWith(' left alone');
  const taken = alone
    ? steps.find(
        (each) =>
          each.calm && keyOf(each.world) !== keyOf(world) && each.label.startsWith('pass') === label.startsWith('pass'),
      )
    : steps.find((each) => each.label === label);
  if (!taken) return null;
  const model = modelOf(run);
  const broken = Object.entries(model.invariants)
    .filter(
      ([, invariant]) =>
        ('always' in invariant && !invariant.always(taken.world)) ||
        ('never' in invariant && invariant.never(taken.world)),
    )
    .map(([name]) => `the invariant ${name} is broken here`);
  return {
    step: { label: taken.label, world: taken.world },
    faults: [...taken.faults.map(({ text }) => text), ...broken],
  };
}
