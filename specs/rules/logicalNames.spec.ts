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

spec('LDB-021 LDB-022 LDB-023 LDB-024 on a shared server the name joins project, environment and database', () => {
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

spec('LDB-025 a longer name ends with a hash, which tells those apart that begin alike', () => {
  fc.assert(
    fc.property(anyParts, (given) => {
      assert.match(sharedDatabaseName(given), /^[a-z_][a-z0-9_]{0,59}$/);
    }),
  );
  const long = 'x'.repeat(60);
  const [one, other] = [sharedDatabaseName(parts(`${long}1`)), sharedDatabaseName(parts(`${long}2`))];
  assert.is(one.length, 60);
  assert.match(one, /_[0-9a-f]{8}$/);
  assert.is.not(one, other);
});

spec('LDB-026 the login there is derived from all three, and nothing else', () => {
  fc.assert(
    fc.property(anyParts, anyParts, (one, other) => {
      assert.match(sharedLogin(one), /^u_[0-9a-f]{16}$/);
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      assert.is(sharedLogin(one) === sharedLogin(other), isSame);
    }),
  );
  assert.is.not(sharedLogin(parts('c', 'a', 'b')), sharedLogin(parts('b', 'a', 'c')));
});

spec("on a project's own server the database keeps its name, and the login is the server's own", () => {
  assert.is(databaseOn('own', parts('Recipes')), 'Recipes');
  assert.is(loginOn('own', parts('Recipes')), 'app');
});

const server = { is: 'found', engine: 'Postgres', external: false, owner: 'own', region: '' } as const;
const asked = { server: server as never, region: '', databaseName: 'recipes', connectionLimit: undefined };

spec('LDB-006 LDB-012 LDB-014 what cannot be made is refused in the order of the document', () => {
  assert.is(refusalOfLogical(asked), null);
  assert.is(
    refusalOfLogical({ ...asked, server: { ...server, engine: 'Redis' } as never }),
    'A database can only be created on a Postgres or MySQL server',
  );
  assert.is(
    refusalOfLogical({ ...asked, server: { ...server, owner: 'elsewhere' } as never }),
    'That server belongs to another project or environment',
  );
  for (const databaseName of ['a-b', '1a', '', 'a;b', 'a b'])
    assert.ok(refusalOfLogical({ ...asked, databaseName }), databaseName);
  for (const databaseName of ['a', '_a1', 'A_b']) assert.is(refusalOfLogical({ ...asked, databaseName }), null);
});

spec.run();
