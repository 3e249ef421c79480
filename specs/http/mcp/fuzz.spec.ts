import * as assert from 'uvu/assert';
import { fuzzMessages } from '../../fuzz/messages.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('random messages of agents');

spec('MCP-012 MCP-013 any message of an agent gets a protocol answer, and the server keeps running', async () => {
  const { counts, findings } = await fuzzMessages(100, Number(process.env['CORE_SPEC_SEED'] ?? 1));
  assert.equal(findings, []);
  assert.is(counts['input: exit 0'], 1);
  assert.ok((counts['http: 200'] ?? 0) > 20 && (counts['http: 400'] ?? 0) > 20, JSON.stringify(counts));
});

spec.run();
