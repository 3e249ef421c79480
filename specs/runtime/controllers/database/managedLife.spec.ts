import * as assert from 'uvu/assert';
import { coreCloudConnection } from '../../../../crds/coreCloudConnection.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { cloudConnections } from '../../../../runtime/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/resources.ts';
import { Away, type ClusterShape, Refused } from '../../../../runtime/services/cluster.ts';
import { ProviderFailed } from '../../../../runtime/services/managedDb.ts';
import { Effect } from 'effect';
import { databaseIn, putDatabase, putReadyProject, putSurroundings, secretIn, textIn } from '../../../support/database.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import { type LiveDatabase, liveDatabase } from './live.ts';

const spec = suite('the life of a managed database');

const managed: Partial<DatabaseSpec> = {
  engine: 'MySQL',
  placement: 'External',
  provider: 'ManagedDb',
  mode: 'Create',
  connectionRef: { name: 'provider' },
};

function putConnection({ cluster }: World, project: string | null = 'shop', token = 'id:s3cret'): void {
  cluster.put(cloudConnections, {
    ...typeMeta(coreCloudConnection),
    metadata: inSystem('provider'),
    spec: { ...(project === null ? {} : { project }), provider: 'ManagedDb', secretRef: { name: 'provider-token' } },
  });
  const data = { organization: 'acme', token };
  cluster.put(secrets, {
    metadata: inSystem('provider-token'),
    data: Object.fromEntries(
      Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
  });
}

type Through = (cluster: ClusterShape) => ClusterShape;

async function living(
  changes: Partial<DatabaseSpec>,
  test: (live: LiveDatabase) => Promise<void>,
  prepare: (world: World) => void = () => {},
  through: Through = (cluster) => cluster,
) {
  const live = await liveDatabase(
    { spec: { ...managed, ...changes } },
    (world) => {
      putSurroundings(world);
      putConnection(world);
      prepare(world);
    },
    through,
  );
  try {
    await test(live);
    assert.not.match(JSON.stringify(databaseIn(live.world) ?? {}), /s3cret|provided-\d/);
    assert.not.match(live.world.logged.join(), /s3cret|provided-\d/);
  } finally {
    await live.end();
  }
}

const failed = (status: number, until?: number) =>
  new ProviderFailed({ status, why: status === 0 ? 'no answer within 10 s' : `HTTP ${status}`, until });
const calls = ({ world }: LiveDatabase, call: string) =>
  world.provider.state.calls.filter((one) => one.startsWith(`${call} `));
const state = ({ world }: LiveDatabase) => world.provider.state;
const managedPhase = (live: LiveDatabase) => live.database().status?.managed?.phase;
const counted = (live: LiveDatabase) => live.database().status?.reconcileRetry?.reconcileFailures ?? 0;
const logins = (live: LiveDatabase, name = 'orders') => live.world.provider.loginsOf(name);

spec(
  'DB-019 DB-088 DB-089 DB-090 DB-096 DB-097 DB-099 DB-103 DB-228 DB-231 DB-232 DB-030 of MySQL: created with its size, and a password of the main branch in the connection',
  () =>
    living({ clusterSize: 'S_20' }, async (live) => {
      await live.pass(31);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(live.message(), 'ManagedDb database connection is available');
      assert.equal(
        live.world.provider.state.calls.map((call) => call.replace(/core-orders-\S+/, '<login>')),
        ['find orders', 'create orders mysql S_20', 'find orders', 'hasLogin <login>', 'issue mysql <login>'],
      );
      assert.equal(
        ['host', 'port', 'database', 'username', 'password', 'uri'].map((key) => textIn(live.world, 'connection', key)),
        [
          'eu.managed.example',
          '3306',
          'orders',
          'user-1',
          'provided-1',
          'mysql://user-1:provided-1@eu.managed.example:3306/orders',
        ],
      );
      assert.is(live.database().status?.host, 'eu.managed.example');
      assert.is(live.database().status?.connectionSecret, 'orders-connection');
      assert.equal(live.moves('managedDatabase'), [
        '(none) databaseMissing Starting',
        'Starting loginUnclaimed Starting',
        'Starting loginDue LoginIssued',
        'LoginIssued loginStored Ready',
      ]);
      assert.equal([...state(live).tokens], ['id:s3cret']);
    }),
);

spec('DB-089 DB-098 DB-033 DB-088 of Postgres: the name of the spec, no size, and a role', () =>
  living({ engine: 'Postgres', databaseName: 'main-orders' }, async (live) => {
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.equal(calls(live, 'create'), ['create main-orders postgresql']);
    assert.match(calls(live, 'issue')[0] ?? '', /^issue postgresql core-orders-/);
    assert.is(textIn(live.world, 'connection', 'port'), '5432');
    assert.is(
      textIn(live.world, 'connection', 'uri'),
      'postgresql://user-1:provided-1@eu.managed.example:5432/postgres',
    );
  }),
);

spec('DB-227 DB-088 a database of the right kind is used, and not created again', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.equal(calls(live, 'create'), []);
    },
    (world) => void world.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-091 DB-226 DB-197 one of the other kind is refused for good, and not touched', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), 'ManagedDb database "orders" already exists as postgresql, not mysql');
      const asked = state(live).calls.length;
      await live.pass(600);
      assert.is(state(live).calls.length, asked, 'nothing is asked of the provider any more');
      assert.equal([...calls(live, 'create'), ...calls(live, 'issue')], []);
      live.world.provider.databases.delete('orders');
      assert.is(await live.ask('provisionRetry', 'retry'), null);
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady', 'Retry has it looked at again');
    },
    (world) => void world.provider.databases.set('orders', { kind: 'postgresql', ready: true, size: '', logins: [] }),
  ),
);

spec('DB-014 DB-225 DB-198 another engine is refused without asking anybody', () =>
  living({ engine: 'Redis' }, async (live) => {
    await live.pass(2);
    assert.is(live.ready(), 'False ProvisionFailed');
    assert.is(live.message(), 'ManagedDb hosts MySQL and Postgres databases, not Redis');
    assert.equal(state(live).calls, []);
    assert.is(managedPhase(live), 'Refused');
    await live.hand((world) => putDatabase(world, { engine: 'Postgres' }));
    await live.pass(40);
    assert.is(live.ready(), 'True DatabaseReady');
  }),
);

spec('DB-093 DB-094 DB-095 DB-143 DB-229 DB-230 starting is waited for 30 minutes, asked every 30 s, and counts then', () =>
  living(
    {},
    async (live) => {
      await live.pass(29 * 60);
      assert.is(live.message(), 'ManagedDb database is starting');
      assert.is(counted(live), 0);
      const asked = calls(live, 'find').length;
      assert.ok(asked > 55 && asked < 62, `${asked} in 29 minutes`);
      await live.pass(70);
      assert.is(live.message(), 'ManagedDb database did not become ready within 30m0s');
      assert.ok(counted(live) > 0);
      await live.pass(180);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(managedPhase(live), 'Starting');
      const stopped = state(live).calls.length;
      await live.pass(600);
      assert.is(state(live).calls.length, stopped, 'what was given up is not asked for');
      live.world.provider.databases.set('orders', { kind: 'mysql', ready: true, size: '', logins: [] });
      await live.ask('provisionRetry', 'retry');
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    ({ provider }) => void (provider.state.readyAtOnce = false),
  ),
);

spec('DB-151a a provider that is silent for 31 minutes is waited for, and its database is found again', () =>
  living({}, async (live) => {
    await live.pass(2);
    state(live).failure = failed(0);
    await live.pass(31 * 60);
    assert.is(live.message(), 'ManagedDb did not answer: no answer within 10 s');
    assert.is(live.ready(), 'False ReconcileError');
    assert.is(counted(live), 0);
    state(live).failure = null;
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(calls(live, 'create').length, 1);
  }),
);

spec('DB-152c a refused token ends it at once; with another one, Retry goes on', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), 'ManagedDb did not answer: HTTP 401');
      const asked = state(live).calls.length;
      await live.pass(300);
      assert.is(state(live).calls.length, asked);
      state(live).failure = null;
      await live.hand((world) => putConnection(world, 'shop', 'id:s3cret2'));
      await live.ask('provisionRetry', 'retry');
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    ({ provider }) => void (provider.state.failure = failed(401)),
  ),
);

spec('a rate limit sets the next check, and counts nothing', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(calls(live, 'find').length, 1);
      await live.pass(280);
      assert.is(calls(live, 'find').length, 1, 'not asked before the limit ends');
      assert.is(counted(live), 0);
      state(live).failure = null;
      await live.pass(60);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => void (world.provider.state.failure = failed(429, world.now() + 300_000)),
  ),
);

spec('DB-228 a create whose answer is lost is found again', () =>
  living({}, async (live) => {
    const { databases } = live.world.provider;
    await live.pass(2);
    assert.is(databases.size, 1);
    await live.pass(31);
    assert.is(calls(live, 'create').length, 1);
  }, ({ provider }) => {
    // It is created, and the answer does not come.
    const { service, databases, state: own } = provider;
    Object.assign(service, {
      create: (_: unknown, { name, kind }: { readonly name: string; readonly kind: string }) =>
        Effect.suspend(() => {
          own.calls.push(`create ${name} ${kind}`);
          databases.set(name, { kind, ready: true, size: '', logins: [] });
          return Effect.fail(failed(0));
        }),
    });
  }),
);

spec('DB-231b a login whose answer is lost is revoked by its name before another one is issued', () =>
  living({}, async (live) => {
    const { service } = live.world.provider;
    let lost = 0;
    const { issue } = service;
    Object.assign(service, {
      issue: (...given: Parameters<typeof issue>) =>
        Effect.flatMap(issue(...given), (login) =>
          lost++ === 0 ? Effect.fail(failed(0)) : Effect.succeed(login),
        ),
    });
    await live.pass(100);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(logins(live).length, 1);
    assert.is(textIn(live.world, 'connection', 'password'), 'provided-2');
    assert.is(calls(live, 'revoke').length, 1);
  }),
);

const refusingSecrets =
  (isRefused: () => boolean, error: Away | Refused): Through =>
  (cluster) => ({
    ...cluster,
    apply: (resource, object, over) =>
      resource.kind === 'Secret' && object.metadata.name === 'orders-connection' && isRefused()
        ? Effect.fail(error)
        : cluster.apply(resource, object, over),
  });

let isRefusing = true;
spec('DB-100 DB-233 a login that cannot be stored is revoked, and the next one waits', () => {
  isRefusing = true;
  return living(
    {},
    async (live) => {
      await live.pass(31);
      assert.is(calls(live, 'issue').length, 1);
      assert.is(logins(live).length, 0);
      assert.is(counted(live), 1);
      isRefusing = false;
      await live.pass(40);
      assert.is(live.ready(), 'True DatabaseReady');
      assert.is(logins(live).length, 1);
      assert.is(textIn(live.world, 'connection', 'password'), logins(live)[0]?.password);
      assert.ok(live.told.includes('the login could not be stored and is revoked'), live.told.join('; '));
    },
    () => {},
    refusingSecrets(() => isRefusing, new Refused({ status: 413, message: 'too large' })),
  );
});

spec('DB-101 DB-234 a deleted connection gets a new login, and the old one is revoked', () =>
  living({}, async (live) => {
    await live.pass(31);
    const before = textIn(live.world, 'connection', 'password');
    await live.remove(owned.secrets, 'orders-connection', 'shop-production');
    await live.pass(5);
    assert.is(live.ready(), 'True DatabaseReady');
    const after = textIn(live.world, 'connection', 'password');
    assert.is.not(after, before);
    assert.equal(
      logins(live).map(({ password }) => password),
      [after],
    );
  }),
);

spec('DB-034 DB-090 a changed size resizes nothing', () =>
  living({ clusterSize: 'S_10' }, async (live) => {
    await live.pass(31);
    const asked = state(live).calls.length;
    await live.hand((world) => putDatabase(world, { clusterSize: 'S_20' }));
    await live.pass(60);
    assert.is(state(live).calls.length, asked);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(live.world.provider.databases.get('orders')?.size, 'S_10');
  }),
);

spec('decision 95: deleting it takes back the login and leaves the database', () =>
  living({}, async (live) => {
    await live.pass(31);
    await live.remove();
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
    assert.equal(logins(live), []);
    assert.ok(live.world.provider.databases.has('orders'));
    assert.is(secretIn(live.world, 'connection'), undefined);
  }),
);

spec('a login that cannot be revoked holds the deletion back, until the connection to the provider goes', () =>
  living({}, async (live) => {
    await live.pass(31);
    state(live).failure = failed(503);
    await live.remove();
    await live.pass(120);
    assert.ok(databaseIn(live.world), 'it waits');
    await live.hand(({ cluster }) => cluster.drop(cloudConnections, 'provider'));
    await live.pass(31);
    assert.is(databaseIn(live.world), undefined);
  }),
);

spec('stopped, the login goes; deployed again, the same database gets another', () =>
  living({}, async (live) => {
    await live.pass(31);
    await live.hand((world) => putDatabase(world, { deploy: { enabled: false } }, { [annotation.deployWorkflow]: 'true' }));
    await live.pass(31);
    assert.is(live.phase(), 'Draft');
    assert.is(managedPhase(live), undefined);
    assert.equal(logins(live), []);
    assert.is(secretIn(live.world, 'connection'), undefined);
    await live.hand((world) => putDatabase(world, { deploy: { enabled: true } }));
    await live.pass(31);
    assert.is(live.ready(), 'True DatabaseReady');
    assert.is(calls(live, 'create').length, 1);
    assert.is(logins(live).length, 1);
  }),
);

spec('DB-028 SEC-027 DB-176 DB-177 DB-178 a connection of another project is never used', async () => {
  const says = async (project: string | null, message: string) =>
    living(
      {},
      async (live) => {
        await live.pass(40);
        assert.is(live.message(), message);
        assert.equal(state(live).calls, []);
      },
      (world) => putConnection(world, project),
    );
  await says('blog', 'cloud connection "provider" is scoped to project "blog"');
  await says(null, 'cloud connection "provider" must be scoped to a project');
  await living(
    { connectionRef: { name: 'nobody' } },
    async (live) => {
      await live.pass(40);
      assert.is(live.message(), 'cloud connection "nobody" was not found');
      assert.equal(state(live).calls, []);
    },
  );
});

spec('DB-203 nothing is created at the provider while its project is not ready', () =>
  living(
    {},
    async (live) => {
      await live.pass(40);
      assert.is(live.message(), 'project "shop" is not ready');
      assert.equal(state(live).calls, []);
      await live.hand((world) => putReadyProject(world, 'True'));
      await live.pass(61);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => putReadyProject(world, 'False'),
  ),
);

spec('a Secret without the keys of the provider is told, and mended', () =>
  living(
    {},
    async (live) => {
      await live.pass(2);
      assert.is(live.message(), 'ManagedDb did not answer: cloud connection "provider" is unavailable');
      assert.is(counted(live), 1);
      await live.hand((world) => putConnection(world));
      await live.pass(61);
      assert.is(live.ready(), 'True DatabaseReady');
    },
    (world) => putConnection(world, 'shop', ''),
  ),
);

spec('after a crash between any two of its writes there is one login, which the connection holds', async () => {
  for (let at = 0; at < 12; at++)
    await living({}, async (live) => {
      let writes = 0;
      const dying: Through = (cluster) => ({
        ...cluster,
        patchStatus: (resource, name, ...rest) =>
          resource.kind === 'CoreDatabase' && ++writes > at
            ? Effect.fail(new Away({ why: 'the process ends' }))
            : cluster.patchStatus(resource, name, ...rest),
      });
      await live.crash(dying);
      await live.hand((world) => world.cluster.drop(owned.secrets, 'orders-connection', 'shop-production'));
      await live.pass(40);
      await live.crash((cluster) => cluster);
      await live.pass(120);
      assert.is(live.ready(), 'True DatabaseReady', `after ${at} writes`);
      assert.equal(
        logins(live).map(({ password }) => password),
        [textIn(live.world, 'connection', 'password')],
        `after ${at} writes`,
      );
      assert.is(calls(live, 'create').length, 1);
    });
});

spec('at rest it asks nothing and writes nothing', () =>
  living({}, async (live) => {
    await live.pass(31);
    const { resourceVersion } = live.database().metadata;
    const asked = state(live).calls.length;
    await live.pass(600);
    assert.is(live.database().metadata.resourceVersion, resourceVersion);
    assert.is(state(live).calls.length, asked);
  }),
);

spec.run();
