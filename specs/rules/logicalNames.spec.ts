import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { databaseOn, loginOn, sharedDatabaseName, sharedLogin } from '../../rules/logicalDatabase/names.ts';
import { refusalOfLogical } from '../../rules/logicalDatabase/refusals.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the names of logical databases');
const parts = (databaseName: string, project = 'shop', environment = 'production') => ({
  project,
  environment,
  databaseName,
});

spec('LDB-021 LDB-022 LDB-023 LDB-024 the name on a shared server joins project, environment and database', () => {
  for (const [given, name] of [
    [parts('recipes'), 'shop_production_recipes'],
    [parts('Recipes', 'Shop'), 'shop_production_recipes'],
    [parts('a__b', 'my--shop', 'pr-7'), 'my_shop_pr_7_a_b'],
    [parts('x', '7up'), 'd7up_production_x'],
  ] as const)
    assert.is(sharedDatabaseName(given), name);
});

const names = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/);
const anyParts = fc.record({ project: names, environment: names, databaseName: names });

spec('LDB-025 a shortened name ends with a hash, so that names with the same prefix differ', () => {
  fc.assert(
    fc.property(anyParts, (given) => {
      assert.match(sharedDatabaseName(given), /^[a-z_][a-z0-9_]{0,59}$/);
    }),
  );
  const whole = sharedDatabaseName(parts('x'.repeat(60 - 'shop_production_'.length)));
  assert.is(whole, `shop_production_${'x'.repeat(44)}`, 'sixty characters are not shortened');
  const over = sharedDatabaseName(parts('x'.repeat(45)));
  assert.equal([over.length, over.slice(0, 51)], [60, `shop_production_${'x'.repeat(35)}`]);
  const long = 'x'.repeat(60);
  const [one, other] = [sharedDatabaseName(parts(`${long}1`)), sharedDatabaseName(parts(`${long}2`))];
  assert.is(one.length, 60);
  assert.match(one, /_[0-9a-f]{8}$/);
  assert.is.not(one, other);
});

spec('LDB-026 the login on a shared server is derived from project, environment and database only', () => {
  fc.assert(
    fc.property(anyParts, anyParts, (one, other) => {
      assert.match(sharedLogin(one), /^u_[0-9a-f]{16}$/);
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      assert.is(sharedLogin(one) === sharedLogin(other), isSame);
    }),
  );
  assert.is.not(sharedLogin(parts('c', 'a', 'b')), sharedLogin(parts('b', 'a', 'c')));
});

spec('a database on a server of its project keeps its name and uses the login of the server', () => {
  assert.is(databaseOn('own', parts('Recipes')), 'Recipes');
  assert.is(loginOn('own', parts('Recipes')), 'app');
});

const server = { is: 'found', engine: 'Postgres', external: false, owner: 'own', region: '' } as const;
const asked = { server: server as never, region: '', databaseName: 'recipes', connectionLimit: undefined };

/** What is refused, in the order of the document. */
const refused: readonly (readonly [string, Partial<typeof asked>])[] = [
  ['A database can only be created on a Postgres or MySQL server', { server: { ...server, engine: 'Redis' } as never }],
  ['That server belongs to another project or environment', { server: { ...server, owner: 'elsewhere' } as never }],
  [
    'This server runs in the eu region, but the project runs in the us region. Every query would cross regions',
    { server: { ...server, region: 'eu' } as never, region: 'us' },
  ],
  ['The connection limit must be a whole number from 1 to 1000', { connectionLimit: 1001 as never }],
  [refusalOfLogical({ ...asked, databaseName: 'a-b' }) ?? '', { databaseName: 'a-b' }],
];
/** Several faults of one server are those of each together. */
const together = (one: Partial<typeof asked>, other: Partial<typeof asked>) => {
  const servers = [one, other].map((each): object => each.server ?? {});
  return { ...asked, ...one, ...other, server: { ...server, ...servers[1], ...changedIn(servers[0]) } as never };
};
const changedIn = (given: object = {}) =>
  Object.fromEntries(Object.entries(given).filter(([name, value]) => server[name as keyof typeof server] !== value));

spec(
  'LDB-006 LDB-012 LDB-014 an invalid logical database is refused with the first reason in the order of the document',
  () => {
    assert.is(refusalOfLogical(asked), null);
    for (const [index, [why, fault]] of refused.entries()) {
      assert.is(refusalOfLogical({ ...asked, ...fault }), why);
      for (const [later, other] of refused.slice(index + 1))
        assert.is(refusalOfLogical(together(fault, other)), why, `${why}, before: ${later}`);
    }
    assert.is(
      refusalOfLogical(together({ server: { is: 'absent' } as never }, { databaseName: 'a-b' })),
      'That database server does not exist',
    );
  },
);

spec('LDB-014 LDB-018 databaseName must be valid for the engine, and the limit an integer within its bounds', () => {
  for (const databaseName of ['a-b', '1a', '', 'a;b', 'a b'])
    assert.ok(refusalOfLogical({ ...asked, databaseName }), databaseName);
  for (const databaseName of ['a', '_a1', 'A_b']) assert.is(refusalOfLogical({ ...asked, databaseName }), null);
  for (const connectionLimit of [1, 1000] as never[]) assert.is(refusalOfLogical({ ...asked, connectionLimit }), null);
  for (const connectionLimit of [0, 1001, 1.5, '5'] as never[])
    assert.ok(refusalOfLogical({ ...asked, connectionLimit }), String(connectionLimit));
});

spec.run();
