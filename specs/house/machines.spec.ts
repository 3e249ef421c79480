import * as assert from 'uvu/assert';
import { linesRefused, root } from '../support/compiler.ts';
import { suite } from '../support/suite.ts';

const spec = suite('machines');

/** Each is one line of source, so that the line of an error tells which it is. */
const written: readonly (readonly [what: string, config: string, compiles: boolean])[] = [
  ['the table as it is', `{ initial: 'Active', states: whole }`, true],
  ['an event of another table', `with_({ on: { pushed: { target: 'Active' } } })`, false],
  ['such an event behind a spread', `with_({ on: { ...known, ...unknown } })`, false],
  ['a target that is no state', `with_({ on: { used: { target: 'Actve' } } })`, false],
  ['an action of no row', `with_({ on: { used: { target: 'Active', actions: 'admit' } } })`, false],
  [
    'one such action among others',
    `with_({ on: { used: { target: 'Active', actions: ['accept', 'admit'] } } })`,
    false,
  ],
  ['an ensure of no row', `with_({ meta: { ensures: ['noJob'] } })`, false],
  ['a guard', `with_({ on: { used: { target: 'Active', guard: 'g' } } })`, false],
  ['an action on entry', `with_({ entry: 'accept' })`, false],
  ['another beginning', `{ initial: 'Pending', states: whole }`, false],
  ['a state too many', `{ initial: 'Active', states: { ...whole, Lost: {} } }`, false],
  ['a state too few', `{ initial: 'Active', states: { Active: {}, Expired: {} } }`, false],
];

const head = [
  `import { machineOf } from '${root}machines/machine.ts';`,
  `const known = { used: { target: 'Active' } } as const;`,
  `const unknown = { pushed: { target: 'Active' } } as const;`,
  `const whole = { Active: {}, Expired: {}, Revoked: {} } as const;`,
];
const sourceOf = (config: string): string => {
  const state = /^with_\((.*)\)$/.exec(config)?.[1];
  const given = state === undefined ? config : `{ initial: 'Active', states: { ...whole, Active: ${state} } }`;
  return `machineOf('token', ${given});`;
};

spec('a machine with a name missing in its table does not compile', async () => {
  const refused = await linesRefused([...head, ...written.map(([, config]) => sourceOf(config))]);
  assert.equal(
    written.map(([what], index) => `${what}: ${refused.has(head.length + index + 1) ? 'refused' : 'compiles'}`),
    written.map(([what, , compiles]) => `${what}: ${compiles ? 'compiles' : 'refused'}`),
  );
});

spec.run();
