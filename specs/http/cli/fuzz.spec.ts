import * as assert from 'uvu/assert';
import { fuzzCommands } from '../../fuzz/commands.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('command lines at random');

spec('whatever is typed and answered, a command ends with a code of the table and says why', async () => {
  const { counts, findings } = await fuzzCommands(300, Number(process.env['CORE_SPEC_SEED'] ?? 1));
  assert.equal(findings, []);
  assert.ok(Object.keys(counts).length >= 4, JSON.stringify(counts));
});

spec.run();
