import { numbers, shuffled } from '../support/random.ts';

/** Choices that follow from a seed alone. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  readonly below: (limit: number) => number;
  readonly between: (least: number, most: number) => number;
  readonly holds: (probability: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T | undefined;
  readonly shuffled: <T>(from: readonly T[]) => readonly T[];
  /** One of these words, as often as its weight says. */
  readonly weighted: <Word extends string>(weights: Readonly<Record<Word, number>>) => Word;
  /** A source of its own, so that one part asking more often does not change what another part gets. */
  readonly fork: (name: string) => Random;
}

const spread = 0x01000193;

export function randomOf(seed: number): Random {
  const next = numbers(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    holds: (probability) => next() < probability,
    pick: (from) => from[below(from.length)],
    shuffled: (from) => shuffled(from, next),
    weighted: <Word extends string>(weights: Readonly<Record<Word, number>>) => {
      const words = Object.keys(weights) as Word[];
      let rest = next() * words.reduce((sum, word) => sum + weights[word], 0);
      for (const word of words) {
        rest -= weights[word];
        if (rest < 0) return word;
      }
      throw new Error('there is nothing to choose from');
    },
    fork: (name) =>
      randomOf(Array.from(name).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), spread), seed)),
  };
}
