import * as assert from 'uvu/assert';
import { type DatabaseStanding, databaseReady } from '../../rules/database/ready.ts';
import { readOut } from '../../rules/verdict.ts';
import { suite } from '../support/suite.ts';
import { served } from './servedDatabase.ts';

const spec = suite('the messages of a database, in their order');

type Change = Readonly<Record<string, unknown>>;
interface Reported {
  readonly message: string;
  readonly when: Change;
}
const reported = (message: string, when: Change): Reported => ({ message, when });

const minutes = (count: number) => ({ is: 'awaited', limited: true, waitedMs: count * 60_000 });
const high = { 'wanted.highAvailability': true };
const restoring = (engine: string) => ({ 'wanted.restoreFrom': true, 'wanted.engine': engine });
const hosted = {
  name: 'orders',
  stored: false,
  failure: '',
  weight: 'counted',
  ready: false,
  storeFailed: false,
  waitedMs: 0,
};
const lone = { cpu: '250m', memory: '512Mi', free: '100m CPU' };

/** What keeps it from being ready, in the order of the documents: draft, snapshot, project and so on. */
const documented: readonly Reported[] = [
  reported('Resource is configured and waiting for deployment', { gate: 'Draft' }),
  reported('resource has pending changes and no last deployed snapshot', { gate: 'SnapshotMissing' }),
  reported('project "shop" does not exist', { 'project.is': 'absent' }),
  reported('project "shop" is not ready', { 'project.is': 'notReady' }),
  reported('project "shop" has no production environment', { 'project.is': 'withoutEnvironment' }),
  reported('project "shop" cluster "main" is not ready', { 'cluster.ready': false }),
  reported('cloud connection "aws" was not found', { 'cloud.is': 'absent' }),
  reported('cloud connection "aws" is scoped to project "shop"', { 'cloud.is': 'otherProject' }),
  reported('cloud connection "aws" must be scoped to a project', { 'cloud.is': 'unscoped' }),
  reported('High availability requires a cluster with at least three healthy nodes', { ...high, haReport: null }),
  reported('Storage is starting', { storage: minutes(0) }),
  reported('Storage is unavailable', { storage: minutes(15) }),
  reported('Installing Postgres operator chart', { chart: 'installing', 'wanted.engine': 'Postgres' }),
  reported('Installing MySQL database chart', { chart: 'installing', 'wanted.engine': 'MySQL' }),
  reported('Installing Redis database chart', { chart: 'installing', 'wanted.engine': 'Redis' }),
  reported('Postgres database is starting', { pods: 'starting', 'wanted.engine': 'Postgres' }),
  reported('Service is starting', { pods: 'starting', 'wanted.engine': 'MySQL' }),
  reported('Starting service', { pods: 'starting', 'wanted.engine': 'SQLite' }),
  reported('Service failed to start', { pods: 'failed' }),
  reported('Restoring database from backup', restoring('MySQL')),
  reported('Restoring database from backup', restoring('SQLite')),
  reported('SQLite does not support high availability', { ...high, 'wanted.engine': 'SQLite' }),
  reported('ManagedDb hosts MySQL and Postgres databases, not SQLite', {
    managed: { ...hosted, engine: 'SQLite', found: '' },
  }),
  reported('ManagedDb database "orders" already exists as', {
    managed: { ...hosted, engine: 'Postgres', found: 'mysql' },
  }),
  reported('This Postgres database needs about 250m CPU', { 'room.crowded': lone }),
  reported('There is no ready node', { 'room.nodes': 'none' }),
  reported('is reserved for other work', { 'room.nodes': 'reserved' }),
];

function changed(value: unknown, [name = '', ...inner]: readonly string[], to: unknown): unknown {
  const fields = value as Change;
  return { ...fields, [name]: inner.length === 0 ? to : changed(fields[name], inner, to) };
}
const under = (change: Change) =>
  Object.entries(change).reduce<unknown>(
    (seen, [path, to]) => changed(seen, path.split('.'), to),
    served,
  ) as DatabaseStanding;
const messageUnder = (change: Change) => readOut('Ready', databaseReady, under(change)).message;

/** Two that cannot be at once give one field two values. */
const canBeBoth = (one: Change, other: Change) =>
  Object.entries(other).every(([path, value]) => !(path in one) || one[path] === value);

for (const { message, when } of documented)
  spec(`DB-203 alone: ${message}`, () => {
    assert.is(messageUnder({}), 'Database connection is available');
    assert.match(messageUnder(when), message);
  });

for (const [index, { message, when }] of documented.entries()) {
  const later = documented.slice(index + 1).filter((other) => canBeBoth(when, other.when));
  if (later.length > 0)
    spec(`DB-203 ${message}, before the ${later.length} below it that hold too`, () => {
      for (const other of later) assert.is(messageUnder({ ...other.when, ...when }), messageUnder(when), other.message);
    });
}

spec.run();
