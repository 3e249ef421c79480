import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Answer } from './scene.ts';

/** The steps of scenes that the embedded API does not answer as a real one does, by the title of the scene. */
export type Left = Readonly<Record<string, readonly number[]>>;

interface Line {
  readonly scene: string;
  readonly steps: readonly number[];
}

const file = new URL('left.ndjson', import.meta.url);

/** What is known to differ: nothing else may. */
export function knownToDiffer(): Left {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const left = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  return Object.fromEntries(left.map(({ scene, steps }) => [scene, steps]));
}

/** Writes down what differs now. */
export function leave(left: Left): void {
  const lines = Object.entries(left).map(([scene, steps]) => `${JSON.stringify({ scene, steps })}\n`);
  writeFileSync(file, lines.join(''));
}

/** The steps that were answered otherwise. */
export const differing = (answers: readonly Answer[], expected: readonly Answer[]): readonly number[] =>
  expected.flatMap((answer, step) => (JSON.stringify(answer) === JSON.stringify(answers[step]) ? [] : [step]));
