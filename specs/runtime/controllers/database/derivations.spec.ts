import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { connectionOf, hostOf, loginWith, missingOf } from '../../../../rules/database/connection.ts';
import {
  databaseNameOf,
  namespaceOf,
  portOf,
  resourcesOf,
  storageSizeOf,
} from '../../../../rules/database/effective.ts';
import { databaseLabels } from '../../../../rules/database/labels.ts';
import { nodePlacementOf, nodePlacementText, placementOf } from '../../../../rules/database/nodePlacement.ts';
import { storageChoice } from '../../../../rules/storageClass.ts';
import { suite } from '../../../support/suite.ts';
import { databaseOf } from './databaseOf.ts';

const spec = suite('database derivations');

const engines = ['Postgres', 'MySQL', 'SQLite', 'Redis'] as const;
const of = (changes: Partial<DatabaseSpec>) => databaseOf(changes).spec;
const { project: _project, environment: _environment, ...shared }: DatabaseSpec = of({});

spec('DB-005 DB-006 DB-102 a database runs in the namespace of its environment, a shared server in core-system', () => {
  assert.is(namespaceOf(of({})), 'shop-production');
  assert.is(namespaceOf({ ...shared, project: '' }), 'core-system');
});

spec(
  'DB-029 DB-032 DB-049 DB-050 DB-052 DB-053 omitted port, storage and resources of a database follow from its engine',
  () => {
    assert.equal(
      engines.map((engine) => portOf(of({ engine }))),
      [5432, 3306, 4001, 6379],
    );
    assert.equal(
      engines.map((engine) => storageSizeOf(of({ engine }))),
      ['10Gi', '10Gi', '1Gi', '10Gi'],
    );
    assert.equal(resourcesOf(of({ engine: 'MySQL' })), { requests: { cpu: '250m', memory: '512Mi' } });
    assert.equal(resourcesOf(of({})), { requests: { cpu: '100m', memory: '128Mi' } });
    const database = databaseOf({});
    assert.is(databaseNameOf(database, database.spec), 'orders');
    assert.is(databaseNameOf(database, of({ databaseName: 'ledger' })), 'ledger');
    assert.is(databaseNameOf(database, of({ databaseName: '' })), 'orders');
  },
);

spec('DB-054 resources are read only when requests are set', () => {
  assert.equal(resourcesOf(of({ resources: { limits: { cpu: '2' } } })), {
    requests: { cpu: '100m', memory: '128Mi' },
  });
  const whole = { requests: { cpu: '1' }, limits: { cpu: '2' } };
  assert.equal(resourcesOf(of({ resources: whole })), whole);
});

spec('DB-032 the port of the spec applies to external databases only', () => {
  assert.is(portOf(of({ externalPort: 9 })), 4001);
  assert.is(portOf(of({ placement: 'External', externalPort: 9 })), 9);
  assert.is(portOf(of({ placement: 'External', engine: 'MySQL' })), 3306);
});

spec('DB-073 DB-075 DB-076 DB-078 DB-080 DB-104 the host is that of the Service in front of the database', () => {
  const hosts = engines.map((engine) => hostOf(databaseOf({}), of({ engine })));
  assert.equal(hosts, [
    'orders-rw.shop-production.svc',
    'core-mysql-orders.shop-production.svc',
    'orders.shop-production.svc',
    'core-redis-db-orders-master.shop-production.svc',
  ]);
  assert.is(
    hostOf(databaseOf({}), of({ engine: 'MySQL', highAvailability: true })),
    'core-mysql-orders-primary.shop-production.svc',
  );
  assert.is(hostOf(databaseOf({}), of({ placement: 'External', externalHost: 'db.example' })), 'db.example');
});

const login = { username: 'app', password: 'a/b:c@d' };
const uri = (changes: Partial<DatabaseSpec>, as = login) => connectionOf(databaseOf({}), of(changes), as).uri;

spec('DB-117 DB-120 DB-121 DB-122 DB-123 the connection address of each engine encodes special characters', () => {
  assert.is(
    uri({ engine: 'Postgres', databaseName: 'a b' }),
    'postgresql://app:a%2Fb%3Ac%40d@orders-rw.shop-production.svc:5432/a%20b',
  );
  assert.is(uri({ engine: 'MySQL' }), 'mysql://app:a%2Fb%3Ac%40d@core-mysql-orders.shop-production.svc:3306/orders');
  assert.is(uri({ engine: 'Redis' }), 'redis://:a%2Fb%3Ac%40d@core-redis-db-orders-master.shop-production.svc:6379');
  assert.is(uri({}), 'http://orders.shop-production.svc:4001');
  const external = {
    placement: 'External',
    engine: 'Postgres',
    externalHost: '2001:db8::1',
    externalPort: 6543,
  } as const;
  assert.is(uri(external), 'postgresql://app:a%2Fb%3Ac%40d@[2001:db8::1]:6543/orders');
  assert.equal(Object.keys(connectionOf(databaseOf({}), of({}), login)).toSorted(), [
    'database',
    'host',
    'password',
    'port',
    'uri',
    'username',
  ]);
});

spec('DB-120 DB-121 any login and any name survive encoding in the address', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ minLength: 1 }),
      (password, databaseName) => {
        const read = new URL(uri({ engine: 'Postgres', databaseName }, { username: password, password }));
        assert.is(decodeURIComponent(read.password), password);
        assert.is(decodeURIComponent(read.username), password);
        assert.is(read.hostname, 'orders-rw.shop-production.svc');
        assert.is(read.pathname.slice(1).includes('/'), false);
        if (!['.', '..'].includes(databaseName)) assert.is(decodeURIComponent(read.pathname.slice(1)), databaseName);
      },
    ),
  );
});

spec('a lone surrogate in a password is replaced in the address without an error', () => {
  assert.is(uri({ engine: 'Redis' }, { username: 'app', password: '\uD800' }).includes('%EF%BF%BD'), true);
});

spec('DB-086 an external database needs host, username and password when its engine has users', () => {
  const external = { engine: 'Postgres', placement: 'External', externalHost: 'h', username: 'u' } as const;
  const password = { passwordSecretRef: { name: 'p', key: '' } };
  assert.equal(missingOf(of({ ...external, ...password })), []);
  assert.equal(missingOf(of({ ...external, externalHost: '' })), ['host', 'password']);
  assert.equal(missingOf(of({ engine: 'MySQL', placement: 'External', ...password })), ['host', 'username']);
  assert.equal(missingOf(of({ engine: 'Redis', placement: 'External' })), ['host']);
});

spec('DB-118 the login is app when the engine has users, and empty otherwise', () => {
  assert.equal(
    engines.map((engine) => loginWith(engine, 'secret')),
    [
      { username: 'app', password: 'secret' },
      { username: 'app', password: 'secret' },
      { username: '', password: '' },
      { username: '', password: 'secret' },
    ],
  );
});

spec('DB-136 resources of a database carry its labels, and those of a shared server name no project', () => {
  const labels = {
    'core.platform/managed-by': 'core',
    'core.platform/kind': 'CoreDatabase',
    'core.platform/name': 'orders',
    'core.platform/system-namespace': 'core-system',
  };
  assert.equal(databaseLabels(databaseOf({}), of({})), {
    ...labels,
    'core.platform/project': 'shop',
    'core.platform/environment': 'production',
  });
  assert.equal(databaseLabels(databaseOf({}), shared), labels);
});

spec('DB-128 DB-129 the placement annotation of a database is read as it was written, and {} means anywhere', () => {
  const anywhere = { region: '', tags: [], required: [] };
  assert.is(nodePlacementText(anywhere), '{}');
  const placed = { region: 'eu', tags: ['ssd', 'fast'], required: ['certified', 'ssd'] };
  for (const placement of [anywhere, placed]) {
    const annotations = { 'core.platform/node-placement': nodePlacementText(placement) };
    assert.equal(nodePlacementOf(databaseOf({}, annotations)), placement);
  }
  assert.equal(JSON.parse(nodePlacementText(placed)), placed);
  assert.is(nodePlacementOf(databaseOf({})), null);
  for (const external of ['', 'eu', '[]', 'null', '3'])
    assert.is(nodePlacementOf(databaseOf({}, { 'core.platform/node-placement': external })), null, external);
});

spec('DB-067 a node needs each tag of the database and of its project once', () => {
  assert.equal(placementOf({ region: 'eu', tags: ['ssd', 'fast'], required: ['certified', 'ssd'] }), {
    region: 'eu',
    tags: ['ssd', 'fast', 'certified'],
  });
});

spec(
  'DB-082 DB-185 DB-186 DB-187 DB-188 the storage class depends on the add-on, the required tags and the region',
  () => {
    const chosen = (volumes: Parameters<typeof storageChoice>[1], single = false) =>
      storageChoice({ addon: true, homeRegion: 'home', single }, volumes);
    assert.equal(storageChoice({ addon: false, homeRegion: '', single: true }, { region: 'eu', required: ['a'] }), {
      name: '',
      limited: true,
    });
    assert.equal(chosen({ region: '', required: [] }), { name: 'core-replicated', limited: true });
    assert.equal(chosen({ region: 'home', required: [] }), { name: 'core-replicated', limited: true });
    assert.equal(chosen({ region: 'eu', required: [] }), { name: 'core-replicated-eu', limited: false });
    assert.equal(chosen({ region: 'eu', required: [] }, true), { name: 'core-single', limited: true });
    const tagged = chosen({ region: 'eu', required: ['a', 'b'] });
    assert.match(tagged.name, /^core-tagged-[0-9a-f]{8}$/);
    assert.is(tagged.limited, false);
    assert.equal(chosen({ region: 'eu', required: ['b', 'a'] }), tagged);
    assert.not.equal(chosen({ region: 'us', required: ['a', 'b'] }), tagged);
  },
);

spec.run();
