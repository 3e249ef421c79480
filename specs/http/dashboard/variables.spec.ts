import * as assert from 'uvu/assert';
import type { Variable } from '../../../http/api.ts';
import {
  changesOfRows,
  isAsSaved,
  isDirty,
  rowsOf,
  rowsProblem,
  savedRows,
  type VariableRow,
  withEnv,
} from '../../../http/dashboard/model/variables.ts';
import { readEnv } from '../../../rules/variables/env.ts';
import { suite } from '../../support/suite.ts';

const variables = suite('variable editor');

const stored: readonly Variable[] = [
  { name: 'GREETING', kind: 'config', injected: false, from: '', value: 'hi' },
  { name: 'KEY', kind: 'secret', injected: false, from: '' },
  { name: 'PORT', kind: 'literal', injected: true, from: 'the port of the service', value: '8080' },
];
const rows = rowsOf(stored);
const changed = (name: string, change: Partial<VariableRow>) =>
  rows.map((row) => (row.name === name ? { ...row, ...change } : row));
const requests = (given: readonly VariableRow[]) =>
  changesOfRows('web', given).map(({ request: { path, body } }) => [path, body]);

variables('injected variables are not rows, and unchanged rows are not dirty', () => {
  assert.equal(
    rows.map(({ name }) => name),
    ['GREETING', 'KEY'],
  );
  assert.not.ok(rows.some(isDirty));
});

variables('the values of a save are recognised when read back, and any other value counts as changed elsewhere', () => {
  const [greeting, ...others] = stored;
  assert.ok(greeting);
  const saved = savedRows(changed('GREETING', { value: 'ho' }), 'GREETING');
  const typed = saved.map((row) => (row.name === 'KEY' ? { ...row, value: 'typed' } : row));
  assert.ok(isAsSaved(typed, [...others, { ...greeting, value: 'ho' }]));
  assert.not.ok(isAsSaved(typed, stored), 'another value');
  assert.not.ok(isAsSaved(typed, others), 'a removed variable');
  assert.not.ok(isAsSaved(typed, [...others, { ...greeting, kind: 'secret', value: 'ho' }]), 'another kind');
});

variables('SEC-017 a stored secret has an empty value and is sent only when one is entered', () => {
  assert.is(rows[1]?.value, '');
  assert.equal(requests(rows), []);
  assert.equal(requests(changed('KEY', { value: 'new' })), [
    ['/api/v1/apps/web/secrets/set', { key: 'KEY', value: 'new' }],
  ]);
});

variables('each changed row is one request, and a removal uses the stored kind', () => {
  assert.equal(requests(changed('GREETING', { value: 'hello' })), [
    ['/api/v1/apps/web/config/set', { key: 'GREETING', value: 'hello' }],
  ]);
  assert.equal(requests(changed('GREETING', { kind: 'secret' })), [
    ['/api/v1/apps/web/secrets/set', { key: 'GREETING', value: 'hi' }],
  ]);
  assert.equal(requests(changed('KEY', { isRemoved: true, kind: 'config' })), [
    ['/api/v1/apps/web/secrets/delete', { key: 'KEY' }],
  ]);
});

variables('an invalid variable is reported before a request', () => {
  const added = (name: string): VariableRow => ({
    id: 9,
    name,
    kind: 'config',
    value: 'x',
    saved: null,
    isRemoved: false,
  });
  assert.is(rowsProblem(rows, ['PORT']), null);
  assert.match(String(rowsProblem([...rows, added('1A')], [])), /not begin with a digit/);
  assert.match(String(rowsProblem([...rows, added('KEY')], [])), /there twice/);
  assert.match(String(rowsProblem([...rows, added('PORT')], ['PORT'])), /injected/);
  assert.match(String(rowsProblem(changed('KEY', { kind: 'config' }), [])), /never shown/);
});

variables('a paste changes existing rows and adds the others as the chosen kind', () => {
  const pasted = withEnv(rows, readEnv('GREETING=hello\nNEW=1').variables, 'secret');
  assert.equal(
    pasted.map(({ name, kind, value }) => [name, kind, value]),
    [
      ['GREETING', 'config', 'hello'],
      ['KEY', 'secret', ''],
      ['NEW', 'secret', '1'],
    ],
  );
  assert.is(new Set(pasted.map(({ id }) => id)).size, 3);
});

variables.run();
