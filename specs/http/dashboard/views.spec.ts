import * as assert from 'uvu/assert';
import type { Read } from '../../../http/api.ts';
import type { ResourceReading } from '../../../http/dashboard/components/resource/reading.ts';
import type { ResourceKind } from '../../../http/dashboard/kindPages/resourcePage.tsx';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const views = suite('views of a resource');

// The router reads the address as it is loaded.
Object.assign(globalThis, { location: new URL('http://127.0.0.1/') });
const { offeredViews } = await import('../../../http/dashboard/kindPages/resourcePage.tsx');
const { database } = await import('../../../http/dashboard/kindPages/database/databasePage.tsx');
const { logicalDatabase } = await import('../../../http/dashboard/kindPages/logicalDatabase/logicalDatabasePage.tsx');
const { objectStore } = await import('../../../http/dashboard/kindPages/objectStore/bucketPage.tsx');
const { service } = await import('../../../http/dashboard/kindPages/service/servicePage.tsx');

const read = (details: Read['resource']['details']): Read => ({
  resource: summary('web', { details }),
  spec: {},
  status: {},
});

const namesOf = <R extends ResourceReading>(of: ResourceKind<R>, known: Read | null, isAdmin = true) =>
  offeredViews(of, known, isAdmin).map(({ name }) => name);

views('connection and SQL are views of admins, and logical databases of in-cluster servers', () => {
  const postgres = read({ engine: 'Postgres' });
  const every = ['', 'connection', 'backups', 'logical', 'sql', 'metrics', 'lifecycle', 'settings'];
  assert.equal(namesOf(database, postgres), every);
  assert.equal(namesOf(database, postgres, false), ['', 'backups', 'logical', 'metrics', 'lifecycle', 'settings']);
  const redis = ['', 'connection', 'sql', 'metrics', 'lifecycle', 'settings'];
  assert.equal(namesOf(database, read({ engine: 'Redis' })), redis);
  const external = read({ engine: 'MySQL', placement: 'External' });
  assert.equal(namesOf(database, external), ['', 'connection', 'lifecycle', 'settings']);
  assert.equal(namesOf(database, null), ['', 'connection', 'metrics', 'lifecycle', 'settings']);
  assert.equal(namesOf(logicalDatabase, null, false), ['', 'lifecycle']);
});

views('the connection of a bucket is a view of admins, and a server has none', () => {
  assert.equal(namesOf(objectStore, read({ mode: 'Bucket' })), ['', 'connection', 'lifecycle', 'settings']);
  assert.equal(namesOf(objectStore, read({ mode: 'Bucket' }), false), ['', 'lifecycle', 'settings']);
  assert.equal(namesOf(objectStore, read({ mode: 'Server' })), ['', 'lifecycle', 'settings']);
});

views('code is a view of functions, and builds a view of repositories', () => {
  const of = (source: string) => namesOf(service, read({ source }));
  assert.ok(of('function').includes('code') && !of('function').includes('builds'));
  assert.ok(of('git').includes('builds') && !of('git').includes('code'));
  assert.not.ok(of('image').some((view) => view === 'builds' || view === 'code'));
  assert.not.ok(namesOf(service, null).some((view) => view === 'builds' || view === 'code'));
});

views.run();
