import * as assert from 'uvu/assert';
import { tableOf } from '../../check/check.ts';
import { lifecycleNames, lifecycleOf } from '../../check/lifecycles.ts';
import { runOf } from '../../check/run.ts';
import { suite } from '../../support/suite.ts';
import { generatedSubjects, subjects } from '../subjects/all.ts';
import { unplayed } from '../subjects/lifecycles.ts';
import { referenceOf, verify } from '../verify.ts';
import { livesOf } from './search.ts';

const spec = suite('faults: every lifecycle played by the real runtime');
/** Lifecycles whose lives are found and run quickly. */
const quick = ['dashboardSession', 'sleepSetting', 'token'];

const nowhere = { arrows: {}, rules: {} };

const subjectOf = (name: string) => {
  const found = generatedSubjects.find((subject) => subject.name === name);
  if (!found) throw new Error(`no generated subject is called ${name}`);
  return found;
};

spec(
  'each lifecycle has its own controller or a generated one, and the parts that are not generated are listed',
  () => {
    assert.equal([...new Set(subjects.flatMap(({ tables }) => tables))].toSorted(), lifecycleNames());
    assert.ok(generatedSubjects.every(({ tables: [name = ''], ...object }) => object.name === name));
    for (const what of unplayed) process.stdout.write(`  not played: ${what}\n`);
  },
);

for (const name of quick)
  spec(`${name}: undisturbed lives follow their model and take every arrow together`, async () => {
    const subject = subjectOf(name);
    const wrong: string[] = [];
    for (const path of subject.paths) {
      const { faults } = await referenceOf({ subject, path, troubles: [] });
      wrong.push(...faults.map((fault) => `${path.name}: ${fault}`));
    }
    assert.equal(wrong, []);
    const run = runOf({ subject: await lifecycleOf(name), table: tableOf(name), places: nowhere, seed: 0 });
    assert.equal(livesOf(run).untaken, []);
  });

spec('a life with a fault ends like its undisturbed run', async () => {
  const subject = subjectOf('token');
  for (const path of subject.paths.slice(0, 4))
    for (const trouble of [
      { is: 'dies', at: 1, when: 'after' },
      { is: 'loseAnswer', at: 1, noticed: 'late' },
      { is: 'conflict', at: 1 },
    ] as const) {
      const { wrong } = await verify({ subject, path, troubles: [trouble] });
      assert.equal(wrong, []);
    }
});

spec.run();
