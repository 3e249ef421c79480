import * as assert from 'uvu/assert';
import { fuzzCommands } from '../../fuzz/commands.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('random command lines');

spec('any command line with any answer ends with a documented code and a reason', async () => {
  const { counts, findings } = await fuzzCommands(300, Number(process.env['CORE_SPEC_SEED'] ?? 1));
  assert.equal(findings, []);
  assert.ok(Object.keys(counts).length >= 4, JSON.stringify(counts));
});

spec.run();
