import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { violationText } from './report.ts';
import type { FaultSubject } from './subjects/subject.ts';
import { tryPath } from './trials.ts';

/** The number of the first part; `CORE_SPEC_SEED` selects others. */
const first = Number(process.env['CORE_SPEC_SEED'] ?? 0);

/** Every path of a subject costs a run undisturbed before its plans: of those with many, one in so many takes part. */
export const partOf = (subject: FaultSubject, oneOf: number): FaultSubject => ({
  ...subject,
  paths: subject.paths.filter((_, at) => isChosen(at, oneOf)),
});

/** One in this many plans for each path of these subjects, as tests; `npm run faults` runs all plans. */
export function sliceOf(title: string, subjects: readonly FaultSubject[], oneOf: number) {
  const spec = suite(title);
  let plans = 0;
  for (const subject of subjects)
    spec(`${subject.name}: each path ends like its undisturbed run under any fault`, async () => {
      const told: string[] = [];
      // The seed selects another part of the plans for each path.
      for (const [index, path] of subject.paths.entries()) {
        const tried = await tryPath(subject, path, { seed: first + index, mixed: 1, oneOf, wanted: () => true });
        plans += tried.rows.reduce((sum, row) => sum + row.plans, 0);
        told.push(...tried.violations.flatMap(violationText));
      }
      assert.equal(told.join('\n'), '');
    });
  spec.after(() => {
    process.stdout.write(`  ${plans} plans\n`);
    assert.ok(plans > 0, 'nothing was tried');
  });
  return spec;
}
