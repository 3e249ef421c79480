import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { databaseReady } from '../../rules/database/ready.ts';
import { objectStoreReady } from '../../rules/objectStore/ready.ts';
import type { VerdictRule } from '../../rules/verdict.ts';
import {
  closed,
  external,
  hidden,
  joined,
  nothing,
  open,
  paramsIn,
  type Message,
  sentence,
  textFor,
  toObservers,
  toViewers,
  withheld,
} from '../../rules/words.ts';
import { linesRefused, root } from '../support/compiler.ts';
import { suite } from '../support/suite.ts';

const words = suite('words');
const views = ['viewer', 'observer', 'whole'] as const;
const toAll = (said: Message) => views.map((view) => textFor(said, view));

words('AUT-031 AUT-036 each role reads the sentence without its hidden parameters', () => {
  const waits = sentence('pod "{pod}" of {app} waits for {image}', {
    pod: toObservers('p-1'),
    app: toViewers('shop'),
    image: hidden('acme/shop'),
  });
  assert.equal(toAll(waits), [
    'pod "…" of shop waits for …',
    'pod "p-1" of shop waits for …',
    'pod "p-1" of shop waits for acme/shop',
  ]);
  assert.equal(waits.params, [
    { name: 'pod', value: 'p-1', to: 'observer', at: 5 },
    { name: 'app', value: 'shop', to: 'viewer', at: 13 },
    { name: 'image', value: 'acme/shop', to: 'whole', at: 28 },
  ]);
});

words('a sentence without parameters is visible only when its rule says so', () => {
  assert.equal(toAll(open('done')), ['done', 'done', 'done']);
  assert.equal(toAll(closed('done')), [null, null, 'done']);
  assert.equal(toAll(withheld(sentence('no {engine}', { engine: toViewers('X') }))), [null, null, 'no X']);
  assert.equal(toAll(nothing), ['', '', '']);
});

words('a sentence with only hidden parameters and punctuation is hidden entirely', () => {
  assert.equal(toAll(external('no access')), [null, null, 'no access']);
  assert.equal(toAll(sentence('{code}: {text}', { code: hidden(403), text: hidden('no') })), [null, null, '403: no']);
});

words('a nested sentence keeps its parameters, and a closed one is hidden entirely', () => {
  const inner = sentence('pod {pod}', { pod: toObservers('p') });
  const outer = sentence('{count} times: {inner}; {rest}', { count: toViewers(2), inner, rest: closed('no room') });
  assert.equal(toAll(outer), ['2 times: pod …; …', '2 times: pod p; …', '2 times: pod p; no room']);
  assert.equal(toAll(joined([inner, closed('no room'), open('done')], '; ')), [
    'pod …; …; done',
    'pod p; …; done',
    'pod p; no room; done',
  ]);
});

words('a text that no longer matches its parameters is shown only to those who read everything', () => {
  const { params } = sentence('for {app} and {user}', { app: toViewers('shop'), user: hidden('me') });
  assert.equal(toAll({ text: 'password of me', params }), [null, null, 'password of me']);
  const [app, user] = params;
  assert.equal(toAll({ text: 'for shop and me', params: [user, app].flatMap((one) => one ?? []) }), [
    null,
    null,
    'for shop and me',
  ]);
});

const value = fc.oneof(fc.string(), fc.constantFrom('{', '}', '{a}', '…', 'a', 'aa'), fc.integer());

words('the full text is the template with any values, and each view reads only its own', () => {
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      const said = sentence('x {a} y{b}{c} z', { a: hidden(a), b: toObservers(b), c: toViewers(c) });
      const left = (one: string | number) => (one === '' ? '' : '…');
      assert.equal(toAll(said), [`x ${left(a)} y${left(b)}${c} z`, `x ${left(a)} y${b}${c} z`, `x ${a} y${b}${c} z`]);
      assert.equal(paramsIn(JSON.parse(JSON.stringify(said.params))), said.params, 'as it is stored');
    }),
  );
});

words('invented parameters are ignored', () => {
  const param = { name: 'a', value: 'b', to: 'viewer', at: 0 };
  assert.equal(paramsIn([param]), [param]);
  for (const other of [null, 'x', {}, [null], [{ ...param, to: 'anybody' }], [{ ...param, at: '0' }], [{ at: 0 }]])
    assert.is(paramsIn(other), undefined);
});

/** Each is one line of source, so that the line of an error tells which it is. */
const written: readonly (readonly [what: string, source: string, compiles: boolean])[] = [
  ['a template with its parameters', `sentence('a {b} {c}', { b: hidden(1), c: open('d') });`, true],
  ['a parameter that is missing', `sentence('a {b} {c}', { b: hidden(1) });`, false],
  ['a parameter too many', `sentence('a {b}', { b: hidden(1), c: hidden(2) });`, false],
  ['one that nobody said who may read', `sentence('a {b}', { b: text });`, false],
  ['a template without any', `sentence('a', {});`, false],
  ['a template put together of values', 'sentence(`a {b} ${text}`, { b: hidden(1) });', false],
  ['an open sentence', `open('a');`, true],
  ['an open sentence put together of values', 'open(`a ${text}`);', false],
  ['an open sentence of a value', `open(text);`, false],
  ['a closed sentence put together of values', 'closed(`a ${text}`);', false],
  ['a rule that says a text', `rule({ id: 'a', in: ['A'], when: () => true, then: 'b', says: () => text });`, false],
  [
    'a rule that says a sentence',
    `rule({ id: 'a', in: ['A'], when: () => true, then: 'b', says: () => open('c') });`,
    true,
  ],
];
const head = [
  `import { closed, hidden, open, sentence } from '${root}rules/words.ts';`,
  `import { ruleFor } from '${root}rules/engine.ts';`,
  `const text: string = 'a';`,
  `const rule = ruleFor<{ readonly now: number }, 'A', 'b'>();`,
];

words('a template without a parameter and an unmarked sentence do not compile', async () => {
  const refused = await linesRefused([...head, ...written.map(([, source]) => source)]);
  assert.equal(
    written.map(([what], index) => `${what}: ${refused.has(head.length + index + 1) ? 'refused' : 'compiles'}`),
    written.map(([what, , compiles]) => `${what}: ${compiles ? 'compiles' : 'refused'}`),
  );
});

words('every role reads that an object is being deleted and that a last backup is taken', () => {
  const said = <Seen>(rows: readonly VerdictRule<Seen>[], leaving: 'deletion' | 'lastBackup', unremoved = '') => {
    const seen = { leaving, failure: null, unremoved } as Seen;
    const row = rows.find(({ when }) => when(seen));
    return row && textFor(row.message(seen), 'viewer');
  };
  assert.is(said(databaseReady, 'lastBackup'), 'One last backup is taken before the database is deleted');
  assert.is(said(databaseReady, 'deletion'), 'Database is being deleted');
  assert.is(said(objectStoreReady, 'deletion'), 'Object store is being deleted');
  assert.is(said(objectStoreReady, 'deletion', 'no answer from 10.0.0.1'), 'Object store is being deleted: …');
});

words.run();
