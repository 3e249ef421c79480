import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { check, tableOf } from './check.ts';
import { lifecycleNames, lifecycleOf } from './lifecycles.ts';
import { outcomeText } from './report.ts';

const spec = suite('lifecycles');
const seed = Math.floor(Math.random() * 1_000_000);

for (const name of lifecycleNames()) {
  const { rows, absence, verdicts } = tableOf(name);
  const ids = [...rows, ...absence, ...verdicts.flatMap((verdict) => verdict.rows)].map(({ id }) => id);
  spec(
    `${[...new Set(ids)].join(' ')} ${name}: machine and rules are the table, and every mutant is caught`,
    async () => {
      const { outcome } = check(await lifecycleOf(name), { seed, mutation: true });
      const told = `${outcomeText(outcome)}\nseed ${seed}`;
      assert.is(outcome.faults.length, 0, told);
      assert.equal(
        (outcome.mutants ?? []).filter(({ caughtBy }) => caughtBy === null),
        [],
        told,
      );
      assert.ok((outcome.mutants ?? []).length > rows.length, 'there are mutants');
      assert.ok(outcome.searched?.exhaustive, 'the search is exhaustive');
    },
  );
}

spec.run();
