import * as assert from 'uvu/assert';
import { seed } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { check, tableOf } from './check.ts';
import { lifecycleNames, lifecycleOf } from './lifecycles.ts';
import { outcomeText } from './report.ts';
import type { AnySubject } from './subject.ts';
import { whyThrown } from './thrown.ts';

const spec = suite('lifecycles');
/** `npm run specs` tries every mutant. */
const oneOf = 40;

/** An exception in a check is reported with its seed too. */
const checked = (subject: AnySubject) => {
  try {
    return check(subject, { seed, mutation: true, oneOf, proof: false });
  } catch (cause) {
    throw new Error(`${whyThrown(cause)}\nseed ${seed}`, { cause });
  }
};

for (const name of lifecycleNames()) {
  const { rows, absence, verdicts } = tableOf(name);
  const ids = [...rows, ...absence, ...verdicts.flatMap((verdict) => verdict.rows)].map(({ id }) => id);
  spec(
    `${[...new Set(ids)].join(' ')} ${name}: machine and rules equal the table, and all mutants of a seed are caught`,
    async () => {
      const { outcome } = checked(await lifecycleOf(name));
      const told = `${outcomeText(outcome)}\nseed ${seed}`;
      assert.is(outcome.faults.length, 0, told);
      assert.equal(
        (outcome.mutants ?? []).filter(({ caughtBy }) => caughtBy === null),
        [],
        told,
      );
      assert.ok((outcome.mutants ?? []).length > rows.length / oneOf, `there are mutants\n${told}`);
      assert.ok(outcome.searched?.exhaustive, `the search is exhaustive\n${told}`);
    },
  );
}

spec.run();
