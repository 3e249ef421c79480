import * as fc from 'fast-check';
import { kindOf } from '../../../crds/kinds.ts';
import { structural } from '../../../crds/schema.ts';
import { play, type WentWrong } from './play.ts';
import { type ActedOn, good } from './platform.ts';
import { anyStep, sayStep, type Step } from './step.ts';

/** Which sequences to try. */
export interface SpecRuns {
  readonly kind: ActedOn;
  readonly seed: number;
  readonly runs: number;
}

/** The result for the sequences of one kind; when one failed, the shortest failing sequence found. */
export interface SpecRan {
  readonly kind: ActedOn;
  readonly seed: number;
  readonly sequences: number;
  readonly steps: number;
  readonly refused: number;
  readonly violation: readonly string[] | null;
}

const mostSteps = 6;
const mostTold = 12;
/** The number of simpler sequences tried in search of the shortest failing one. */
const mostTries = 80;

function told({ kind, seed }: SpecRuns, steps: readonly Step[], { at, wrong }: WentWrong): readonly string[] {
  const all = [`create ${JSON.stringify(good[kind].spec)}`, ...steps.map(sayStep), 'delete it'];
  return [
    `${kind} ${good[kind].name}:`,
    ...all.slice(0, at + 1).map((step, index) => `  ${index}. ${step}`),
    ...wrong.slice(0, mostTold).map((one) => `  wrong: ${one}`),
    `  repeat: npm run faults -- --specs --lifecycle ${kind} --seed ${seed}`,
  ];
}

/** Runs random sequences of valid and invalid specs of one kind; reports the shortest failing one. */
export async function runSpecSequences(given: SpecRuns): Promise<SpecRan> {
  const { kind, seed, runs } = given;
  const counted = { sequences: 0, steps: 0, refused: 0 };
  let tries = 0;
  let last: { readonly steps: readonly Step[]; readonly went: WentWrong } | null = null;
  const property = fc.asyncProperty(
    fc.array(anyStep(structural(kindOf(kind).spec)), { minLength: 1, maxLength: mostSteps }),
    async (steps) => {
      if (last !== null && ++tries > mostTries) return true;
      counted.sequences++;
      counted.steps += steps.length;
      counted.refused += steps.filter(({ is }) => is === 'broken' || is === 'fixed').length;
      const went = await play(kind, steps);
      if (went) last = { steps, went };
      return went === null;
    },
  );
  const checked = await fc.check(property, { seed, numRuns: runs });
  const shortest = checked.counterexample?.[0];
  if (checked.errorInstance instanceof Error && last === null) throw checked.errorInstance;
  const went = shortest === undefined ? null : await play(kind, shortest);
  return {
    kind,
    seed,
    ...counted,
    violation: shortest !== undefined && went !== null ? told(given, shortest, went) : null,
  };
}
