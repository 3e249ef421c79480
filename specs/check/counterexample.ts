import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refused, type Output } from '../trace/output.ts';
import { tableOf } from './check.ts';
import { type Broken, brokenSteps, holdsIn } from './search.ts';
import { type LifeStep, lifeText } from './life.ts';
import { placesOf } from './places.ts';
import { runOf, type Run } from './run.ts';
import type { AnySubject } from './subject.ts';
import { keyOf, modelOf, stepsOf, type Taken } from './world.ts';

/** A life that violated an invariant: its initial world and its steps. */
export interface Counterexample {
  readonly lifecycle: string;
  readonly fault: string;
  readonly start: unknown;
  readonly steps: readonly string[];
}

/** Stores the counterexamples of one lifecycle as files, replacing those of the run before; returns their names. */
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

/** Reads a stored counterexample; a text says why it cannot be read. */
export function readCounterexample(file: string): Counterexample | string {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isCounterexample(read) ? read : `${file} is no counterexample: it needs lifecycle, start and steps`;
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Replays the stored life with the current machine, rules and table. */
export function replay(subject: AnySubject, { start, steps, fault }: Counterexample): Output {
  const run = runOf({ subject, table: tableOf(subject.name), places: placesOf(subject.files), seed: 0 });
  const life: LifeStep[] = [{ label: '', world: start }];
  if (steps.length === 0) return refused('the counterexample has no step');
  for (const label of steps) {
    const taken = stepOf(run, life.at(-1)?.world, label);
    if (!taken)
      return {
        lines: [lifeText(run, life), `mended: "${label}" cannot happen any more here`],
        exit: 0,
      };
    const wrong = wrongIn(run, life.at(-1)?.world, taken);
    life.push({ label: taken.label, world: taken.world });
    if (wrong.length > 0) return { lines: [lifeText(run, life), ...wrong], exit: 1 };
  }
  const unreached = unreachedInvariants(run, life);
  if (unreached.length > 0) return { lines: [lifeText(run, life), ...unreached], exit: 1 };
  return {
    lines: [lifeText(run, life), `mended: nothing is broken in this life any more (it was kept for: ${fault})`],
    exit: 0,
  };
}

/** The step with this label; an undisturbed step is found by its effect. */
function stepOf(run: Run, world: unknown, label: string): Taken | undefined {
  const steps = stepsOf(run, world);
  if (!label.endsWith(' left alone')) return steps.find((each) => each.label === label);
  return steps.find(
    (each) =>
      each.undisturbed &&
      keyOf(each.world) !== keyOf(world) &&
      each.label.startsWith('pass') === label.startsWith('pass'),
  );
}

/** The violations of one step, in words. */
function wrongIn(run: Run, before: unknown, { label, world, faults }: Taken): readonly string[] {
  const invariants = Object.entries(modelOf(run).invariants);
  return [
    ...faults.map(({ text }) => text),
    ...invariants
      .filter(([, invariant]) => holdsIn(invariant, world) === false)
      .map(([name]) => `the invariant ${name} is broken here`),
    ...brokenSteps(invariants, { before, after: world, label }, {}).map(
      (name) => `the invariant ${name} is broken by this step`,
    ),
  ];
}

const longestAlone = 500;

/** What an undisturbed life never reaches from its end. */
function unreachedInvariants(run: Run, life: readonly LifeStep[]): readonly string[] {
  const wanted = Object.entries(modelOf(run).invariants).flatMap(([name, invariant]) =>
    'eventually' in invariant ? [[name, invariant.eventually] as const] : [],
  );
  const worlds: unknown[] = [life.at(-1)?.world];
  for (let count = 0; count < longestAlone; count++) {
    const at = worlds.at(-1);
    const next = stepsOf(run, at).find(
      (each) => each.undisturbed && !worlds.some((seen) => keyOf(seen) === keyOf(each.world)),
    );
    if (!next) break;
    worlds.push(next.world);
  }
  return wanted
    .filter(([, holds]) => !worlds.some((world) => holds(world)))
    .map(([name]) => `the invariant ${name} is never reached from here, left alone`);
}
