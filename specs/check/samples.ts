import * as fc from 'fast-check';

/** Facts drawn at a time. */
export const factsPerRound = 2_000;
/** Rounds drawn before what was never met counts as never to be met. */
const mostRounds = 15;
/** Times each thing is to be met, so that a change of it has something to show itself on. */
const enough = 3;

const roundOf = (facts: fc.Arbitrary<unknown>, seed: number, round: number): readonly unknown[] =>
  fc.sample(facts, { seed: seed + round, numRuns: factsPerRound });

/** What was drawn, and how often each thing was met over it. */
export interface Drawn {
  readonly samples: readonly unknown[];
  readonly met: Readonly<Record<string, number>>;
}

/**
 * Draws facts, round after round, until everything that is wanted was met a few times: what is rare is looked for
 * longer, so that a seed does not decide whether a lifecycle passes. What throws over some facts meets nothing there.
 */
export function draw(
  facts: fc.Arbitrary<unknown>,
  seed: number,
  wanted: readonly string[],
  metOver: (facts: unknown) => readonly string[],
): Drawn {
  const met: Record<string, number> = Object.fromEntries(wanted.map((name) => [name, 0]));
  const samples: unknown[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const drawn = roundOf(facts, seed, round);
    samples.push(...drawn);
    for (const each of drawn) for (const name of metOver(each)) met[name] = (met[name] ?? 0) + 1;
    if (wanted.every((name) => (met[name] ?? 0) >= enough)) break;
  }
  return { samples, met };
}

/** Facts of further rounds, one by one, for a change that showed itself over none of those drawn at first. */
export function* drawnLater(facts: fc.Arbitrary<unknown>, seed: number): Generator {
  for (let round = mostRounds; round < 2 * mostRounds; round++) yield* roundOf(facts, seed, round);
}
