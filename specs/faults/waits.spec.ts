import * as assert from 'uvu/assert';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tables } from '../../machines/tables.ts';
import { suite } from '../support/suite.ts';
import { bundleReplaceable } from './bugs/replaceableBundle.ts';
import type * as Plans from './waits/plans.ts';
import { playAll } from './waits/plans.ts';

const spec = suite('waits of the command line under faults at every read');

spec(
  'CLI-268 CLI-269 CLI-270 CLI-271 CLI-272 CLI-273 CLI-274 CLI-275 CLI-276 CLI-277 every wait plan ends as its answers demand, and every row is reached',
  async () => {
    const { plans, wrong, rows, undisturbed } = await playAll();
    assert.equal(wrong, []);
    for (const [{ name, exit, rows: own }, ended] of undisturbed) {
      assert.is(ended, exit, name);
      for (const row of own) assert.ok(rows.has(row), `${name} walks ${row}`);
    }
    const waits = [...tables.deployWait.rows, ...tables.sleepSetting.rows].filter(({ from }) => from[0] !== '(none)');
    for (const { id } of waits) assert.ok(rows.has(id), `${id} is walked`);
    assert.ok(plans > 500, `${plans} plans`);
  },
);

spec('every mistake planted in the waits is detected', async () => {
  const { program, end } = await bundleReplaceable(fileURLToPath(new URL('waits/plans.ts', import.meta.url)));
  try {
    const { huntAll } = (await import(pathToFileURL(program).href)) as typeof Plans;
    for (const { name, shown, reached } of await huntAll()) {
      assert.ok(reached, `${name} is come by`);
      assert.ok(shown, `${name} is seen`);
    }
  } finally {
    end();
  }
});

spec.run();
