import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { customFaults } from '../../../../runtime/embedded/api/kinds/customFaults.ts';
import { schemaFaults } from '../../../../runtime/embedded/api/kinds/declared/structural.ts';
import type { Schema } from '../../../../runtime/embedded/api/schema/schema.ts';
import { at } from '../../../../runtime/embedded/api/json.ts';
import type { Cause } from '../../../../runtime/embedded/api/status.ts';
import { suite } from '../../../support/suite.ts';
import { object, properties } from './rules/subject.ts';

const x = suite('rules in CEL against the answers of a real API server');

const lines = readFileSync(new URL('rules/answers.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** What was wrong, without the rule that it was wrong with. */
const told = (causes: readonly Cause[]) =>
  causes.length === 0
    ? 'ok'
    : causes.map(({ message }) => message.replace(/Invalid value: \{"Rule".*?\}: /s, '')).join(' ;; ');

function answerTo(rule: string): string {
  const spec: Schema = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
  const schema: Schema = { type: 'object', properties: { spec } };
  const refused = schemaFaults(schema, 'openAPIV3Schema');
  if (refused.length > 0) return told(refused);
  const custom = { storage: { group: 'g', version: 'v1', kind: 'K', schema }, schema, columns: [], deprecated: false };
  const faults = customFaults({ ...custom, deprecationWarning: '' }, { spec: object }, undefined, {
    metadata: [],
    warn: () => undefined,
  });
  return `evaluated: ${told(faults)}`;
}

for (const line of lines) {
  const recorded: unknown = JSON.parse(line);
  const [rule, answer] = [String(at(recorded, 'rule')), String(at(recorded, 'answer'))];
  x(rule, () => assert.is(answerTo(rule), answer));
}

x('rules that cost too much in one evaluation are stopped', () => {
  const word = 'a'.repeat(900);
  const items = { type: 'array', items: { type: 'string' } } as const;
  const rule = 'self.all(a, self.all(b, a == b))';
  const schema: Schema = { type: 'object', properties: { spec: { ...items, 'x-kubernetes-validations': [{ rule }] } } };
  const custom = { storage: { group: 'g', version: 'v1', kind: 'K', schema }, schema, columns: [], deprecated: false };
  const faults = customFaults(
    { ...custom, deprecationWarning: '' },
    { spec: Array.from({ length: 300 }, () => word) },
    undefined,
    { metadata: [], warn: () => undefined },
  );
  assert.match(told(faults), 'call cost exceeds limit for rule');
});

x.run();
