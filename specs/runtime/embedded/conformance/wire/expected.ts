import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Answer } from './scene.ts';

/** The answers to every scene of a file, by its title. */
export type Answers = Readonly<Record<string, readonly Answer[]>>;

interface Line extends Answer {
  readonly scene: string;
}

const fileOf = (name: string) => new URL(`expected/${name}.ndjson`, import.meta.url);

/** What a real API server answered: one answer a line. */
export function expectedOf(name: string): Answers {
  const file = fileOf(name);
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const answers: Record<string, Answer[]> = {};
  for (const line of lines) {
    const { scene, ...answer } = JSON.parse(line) as Line;
    (answers[scene] ??= []).push(answer);
  }
  return answers;
}

/** Writes down what a real API server answered. */
export function record(name: string, answers: Answers): void {
  const lines = Object.entries(answers).flatMap(([scene, of]) =>
    of.map((answer) => `${JSON.stringify({ scene, ...answer })}\n`),
  );
  writeFileSync(fileOf(name), lines.join(''));
}
