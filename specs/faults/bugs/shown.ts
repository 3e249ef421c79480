import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSubject } from '../subjects/build.ts';
import { type Plan, readPlan } from '../plan/plan.ts';
import type { Bug } from './bug.ts';
import type { Hunted } from './hunt.ts';

const file = fileURLToPath(new URL('shown.json', import.meta.url));

type Shown = Readonly<Record<string, string>>;

const readShown = (): Shown => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Shown) : {});

/** The plan that last caught a bug; null when none did, or when the plan no longer exists. */
export function shownBy({ name }: Bug): Plan | null {
  const text = readShown()[name];
  const plan = text === undefined ? null : readPlan(text, [buildSubject]);
  return typeof plan === 'string' ? null : plan;
}

/** Stores the plans that caught bugs. */
export function keepShown(hunted: readonly Hunted[]): void {
  const caught = hunted.flatMap(({ bug, caughtBy }) => (caughtBy === null ? [] : [[bug.name, caughtBy] as const]));
  writeFileSync(file, `${JSON.stringify({ ...readShown(), ...Object.fromEntries(caught) }, null, 2)}\n`);
}
