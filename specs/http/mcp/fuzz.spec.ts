import * as assert from 'uvu/assert';
import { fuzzMessages } from '../../fuzz/messages.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('agents’ messages at random');

spec(
  'MCP-012 MCP-013 whatever an agent sends, it is answered in the words of the protocol, and the server goes on',
  async () => {
    const { counts, findings } = await fuzzMessages(100, Number(process.env['CORE_SPEC_SEED'] ?? 1));
    assert.equal(findings, []);
    assert.is(counts['input: exit 0'], 1);
    assert.ok((counts['http: 200'] ?? 0) > 20 && (counts['http: 400'] ?? 0) > 20, JSON.stringify(counts));
  },
);

spec.run();
