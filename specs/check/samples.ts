import * as fc from 'fast-check';

/** The number of facts drawn per round. */
export const factsPerRound = 2_000;
/** The number of rounds after which what was never covered counts as unreachable. */
const mostRounds = 15;
/** How often each thing must be covered, so that a change of it can show. */
const enough = 3;

const roundOf = (facts: fc.Arbitrary<unknown>, seed: number, round: number): readonly unknown[] =>
  fc.sample(facts, { seed: seed + round, numRuns: factsPerRound });

/** The drawn facts, and how often they covered each thing. */
export interface Drawn {
  readonly samples: readonly unknown[];
  readonly met: Readonly<Record<string, number>>;
}

/**
 * Draws facts in rounds until everything wanted was covered a few times: rare things take more rounds, so that the seed
 * does not decide whether a lifecycle passes. A rule that throws over some facts covers nothing there.
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

/** Facts of further rounds, one by one, for a change that showed over none of the first facts. */
export function* drawnLater(facts: fc.Arbitrary<unknown>, seed: number): Generator {
  for (let round = mostRounds; round < 2 * mostRounds; round++) yield* roundOf(facts, seed, round);
}
