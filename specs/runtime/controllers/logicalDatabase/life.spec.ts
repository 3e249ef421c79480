import * as assert from 'uvu/assert';
import { chartClaims, postgresClusters } from '../../../../runtime/owned/addonKinds.ts';
import { logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { putProject } from '../../../support/project.ts';
import {
  jobEnds,
  jobIn,
  logicalIn,
  logicalName,
  logicalSecret,
  logicalText,
  putAdmin,
  putCluster,
  putLogical,
  putServer,
  putServerSecrets,
  putClaim,
  serverName,
} from '../../../support/logicalDatabase.ts';
import { suite } from '../../../support/suite.ts';
import { putReadyProject } from '../../../support/database.ts';
import type { World } from '../../../support/world.ts';
import { type LiveLogical, living } from './live.ts';

const spec = suite('the life of a logical database');
const isReady = (live: LiveLogical) =>
  assert.equal(
    [live.ready(), live.message()],
    ['True LogicalDatabaseReady', 'Logical database connection is available'],
  );
const finalizers = (live: LiveLogical) => live.object().metadata.finalizers ?? [];
const errors = (live: LiveLogical) => live.attempts()[0]?.errors?.map(({ message }) => message) ?? [];
const namespace = 'shop-production';
const own = { isShared: false, spec: { project: 'shop', environment: 'production' } } as const;
const provision = async (live: LiveLogical, of: Parameters<typeof jobEnds>[3] = {}) => {
  await live.edit((world) => jobEnds(world, 'create', 'Complete', of));
  isReady(live);
};

spec(
  'LDB-004 LDB-010 LDB-030 LDB-031 LDB-032 LDB-033 LDB-035 LDB-036 LDB-038 LDB-042 LDB-043 LDB-046 LDB-058 LDB-059 LDB-092 LDB-094 on a shared server: from nothing to Ready',
  () =>
    living({}, async (live) => {
      assert.equal([live.ready(), live.message()], ['False ReconcileError', 'creating logical database']);
      assert.equal(finalizers(live), ['core.platform/logicaldatabase']);
      assert.ok(logicalSecret(live.world, 'login'));
      assert.is(logicalSecret(live.world, 'connection'), undefined);
      await provision(live);
      const { status } = live.object();
      assert.equal(
        status?.conditions?.map(({ type }) => type),
        ['Ready'],
      );
      assert.is(status?.connectionSecret, 'recipes-connection');
      assert.is(status?.jobName, 'recipes-create');
      assert.is(status?.database, 'shop_production_recipes');
      assert.match(status?.username ?? '', /^u_[0-9a-f]{16}$/);
      const password = logicalText(live.world, 'password');
      assert.equal(Object.keys(logicalSecret(live.world, 'connection')?.data ?? {}).toSorted(), [
        'database',
        'host',
        'password',
        'port',
        'uri',
        'username',
      ]);
      assert.is(
        logicalText(live.world, 'uri'),
        `postgresql://${status?.username}:${password}@main-rw.core-system.svc:5432/shop_production_recipes`,
      );
      assert.equal(live.moves('logicalDatabase'), [
        '(none) created Provisioning',
        'Provisioning jobCreated Provisioning',
        'Provisioning connectionWritten Ready',
      ]);
    }),
);

spec("LDB-005 LDB-016 LDB-029 LDB-037 on a project's own server: no finalizer, its own login, its own name", () =>
  living({ server: { ...own, spec: { ...own.spec, engine: 'MySQL' } } }, async (live) => {
    assert.equal(finalizers(live), []);
    assert.is(jobIn(live.world, 'create', { namespace })?.metadata.namespace, namespace);
    await provision(live, { namespace });
    const { status } = live.object();
    assert.equal([status?.database, status?.username], ['recipes', undefined]);
    assert.is(logicalSecret(live.world, 'login'), undefined);
    assert.is(logicalText(live.world, 'uri'), 'mysql://app:apps-own@core-mysql-main.shop-production.svc:3306/recipes');
  }),
);

spec(
  "LDB-057 LDB-103 what is deleted on a project's own server leaves its Secret and its Job, and a new one takes them",
  () =>
    living({ server: own }, async (live) => {
      await provision(live, { namespace });
      await live.remove();
      assert.is(live.found(), undefined);
      assert.ok(logicalSecret(live.world, 'connection'));
      assert.ok(jobIn(live.world, 'create', { namespace }));
      assert.is(jobIn(live.world, 'drop', { namespace }), undefined);
      await live.edit((world) => putLogical(world));
      await live.pass(12);
      assert.is(live.message(), 'creating logical database');
      await provision(live, { namespace });
    }),
);

spec('LDB-093 LDB-069 LDB-070 LDB-081 LDB-082 what is missing is waited for, and nothing counts', () =>
  living({ server: null }, async (live) => {
    assert.is(live.message(), `database server "${serverName}" is unavailable`);
    await live.edit((world) => putServer(world, { ready: 'False' }));
    assert.is(live.message(), 'database server is not ready');
    await live.edit((world) => {
      putServer(world);
      world.cluster.drop(owned.secrets, `${serverName}-superuser`, 'core-system');
    });
    assert.is(live.message(), "Waiting for the database server's administrator login");
    await live.pass(300);
    assert.is(live.object().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await live.edit(putAdmin);
    assert.is(live.message(), 'creating logical database');
    await live.pass(300);
    assert.is(live.phase(), 'Provisioning');
  }),
);

spec('LDB-083 LDB-095 LDB-100 a failed Job ends it at once, and Retry runs another one', () =>
  living({}, async (live) => {
    await live.edit((world) => jobEnds(world, 'create', 'Failed'));
    assert.equal([live.ready(), live.message()], ['False ProvisionFailed', 'database creation Job failed']);
    assert.is(live.object().status?.reconcileRetry?.reconcileFailures, 0);
    const before = jobIn(live.world, 'create')?.metadata.annotations?.['core.platform/run'];
    assert.is(await live.ask('provisionRetry', 'retry'), null);
    assert.ok(live.messages.includes('Retrying provisioning'));
    await live.pass(12);
    const after = jobIn(live.world, 'create')?.metadata.annotations?.['core.platform/run'];
    assert.ok(after !== undefined && after !== before);
    await provision(live);
  }),
);

spec('LDB-027 decision 80: a database of another login ends it, in the words of the refusal', () =>
  living({}, async (live) => {
    await live.edit((world) => jobEnds(world, 'create', 'taken'));
    assert.equal([live.ready(), live.message()], ['False ProvisionFailed', 'logical database already exists']);
  }),
);

spec(
  'LDB-060 LDB-075 LDB-079 LDB-096 LDB-097 another region counts, ends after five failures, and stays in the errors',
  () =>
    living({ server: { annotations: { 'core.platform/node-placement': '{"region":"us"}' } } }, async (live) => {
      const says = 'This database server runs in the us region, but the project runs in the local region';
      assert.is(live.message(), says);
      await live.pass(150);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.match(live.message(), /^Provisioning failed after repeated errors/);
      assert.equal(errors(live), [says, says, says, says, says]);
      assert.is(jobIn(live.world, 'create'), undefined);
    }),
);

spec(
  'PRJ-050 LDB-061 LDB-076 LDB-077 LDB-078 LDB-098 LDB-099 a tag that the server lacks counts; other tags look again, not once it failed',
  () =>
    living({ prepare: (world) => putProject(world, { requiredTags: ['gdpr'] }) }, async (live) => {
      const says = 'This database server does not run on nodes tagged gdpr, which the project requires';
      assert.is(live.message(), says);
      await live.edit((world) => putProject(world, { requiredTags: [] }));
      assert.is(live.message(), 'creating logical database');
      await live.edit((world) => putProject(world, { requiredTags: ['gdpr'] }));
      await live.pass(200);
      assert.is(live.ready(), 'False ProvisionFailed');
      await live.edit((world) => putProject(world, { requiredTags: [] }));
      assert.is(live.ready(), 'False ProvisionFailed');
    }),
);

spec('PRJ-050 LDB-076 a shared server has to run on nodes with all the tags that the project requires', () =>
  living(
    {
      server: { annotations: { 'core.platform/node-placement': '{"region":"local","tags":["gdpr","ssd"]}' } },
      prepare: (world) => putProject(world, { requiredTags: ['gdpr', 'pci'] }),
    },
    async (live) => {
      assert.match(live.message(), /^This database server does not run on nodes tagged .*pci/);
      await live.edit((world) => putProject(world, { requiredTags: ['ssd', 'gdpr'] }));
      assert.is(live.message(), 'creating logical database');
    },
  ),
);

spec(
  'LDB-008 LDB-071 LDB-072 LDB-073 LDB-074 LDB-080 what is wrong is said in the words of the documents',
  async () => {
    const cases: readonly [string, Parameters<typeof living>[0]][] = [
      ['project "shop" is not ready', { prepare: (world) => putReadyProject(world, 'False') }],
      ['project "shop" has no other environment', { spec: { environment: 'other' } }],
      [
        'database server is in a different project or environment',
        { server: { ...own, spec: { project: 'shop', environment: 'staging' } } },
      ],
      ['database server has no connection secret', { server: { status: { connectionSecret: '' } } }],
      ['logical databases require a Postgres or MySQL server', { server: { spec: { engine: 'Redis' } } }],
      ['logical databases require a Postgres or MySQL server', { server: { spec: { placement: 'External' } } }],
      ['database name must contain only letters, numbers, and underscores', { spec: { databaseName: 'a;b' } }],
      [
        'database connection secret is unavailable',
        { prepare: (world) => world.cluster.drop(owned.secrets, `${serverName}-connection`, 'core-system') },
      ],
    ];
    for (const [says, given] of cases)
      await living(given, async (live) => {
        assert.is(live.message(), says);
        await live.pass(0);
      });
  },
);

spec(
  'LDB-017 LDB-039 LDB-045 LDB-047 LDB-048 LDB-049 LDB-050 LDB-052 the Job: labels, names alone in its arguments, no password, no reserved node',
  () =>
    living(
      {
        server: {
          annotations: { 'core.platform/node-placement': '{"region":"local","tags":["fast"],"required":["x"]}' },
        },
      },
      async (live) => {
        const job = jobIn(live.world, 'create');
        if (!job) throw new Error('there is no Job');
        assert.is(job.metadata.labels?.['core.platform/logical-database'], logicalName);
        assert.is(job.metadata.labels?.['core.platform/logical-database-role'], 'create');
        const pod = job.spec.template.spec;
        assert.equal(pod.nodeSelector, { 'core.platform/region': 'local' });
        assert.equal(pod.tolerations, []);
        const [client] = pod.containers ?? [];
        assert.equal(
          client?.env.map(({ name }) => name),
          'SERVER_HOST SERVER_PORT SERVER_DATABASE ADMIN_USERNAME ADMIN_PASSWORD DATABASE LOGIN LOGIN_PASSWORD CONNECTION_LIMIT'.split(
            ' ',
          ),
        );
        const limit = client?.env.find(({ name }) => name === 'CONNECTION_LIMIT') as { readonly value?: string };
        assert.is(limit.value, '20');
        const secret = (name: string) => client?.env.find((one) => one.name === name)?.valueFrom;
        assert.equal(secret('LOGIN_PASSWORD'), { secretKeyRef: { name: 'recipes-login', key: 'password' } });
        assert.equal(secret('ADMIN_PASSWORD'), { secretKeyRef: { name: 'main-superuser', key: 'password' } });
        assert.ok((job.spec.backoffLimit ?? 0) > 0);
        const password = Buffer.from(logicalSecret(live.world, 'login')?.data?.['password'] ?? '', 'base64').toString();
        assert.not.ok(JSON.stringify(job).includes(password));
      },
    ),
);

spec("LDB-041 LDB-051 on a project's own MySQL: root, and the tags that the project required when it was placed", () =>
  living(
    {
      server: {
        ...own,
        spec: { ...own.spec, engine: 'MySQL' },
        annotations: { 'core.platform/node-placement': '{"region":"local","tags":["fast"],"required":["gdpr"]}' },
      },
    },
    async (live) => {
      const pod = jobIn(live.world, 'create', { namespace })?.spec.template.spec;
      assert.equal(pod?.nodeSelector, { 'core.platform/region': 'local', 'core.platform/tag-gdpr': 'true' });
      assert.equal(
        pod?.tolerations.map(({ value }) => value),
        ['gdpr'],
      );
      const env = pod?.containers[0]?.env ?? [];
      assert.is(env.find(({ name }) => name === 'ADMIN_USERNAME')?.value, 'root');
      assert.equal(env.find(({ name }) => name === 'ADMIN_PASSWORD')?.valueFrom, {
        secretKeyRef: { name: 'main-bootstrap', key: 'mysql-root-password' },
      });
      assert.not.ok(env.some(({ name }) => name === 'LOGIN_PASSWORD'));
      await live.pass(0);
    },
  ),
);

spec('LDB-053 LDB-054 LDB-101 LDB-102 a deletion on a shared server drops the database and takes its Secrets', () =>
  living({}, async (live) => {
    await provision(live);
    await live.remove();
    await live.pass(10);
    assert.is(live.phase(), 'Deleting');
    assert.is(live.message(), 'Logical database is being deleted');
    assert.is(jobIn(live.world, 'create'), undefined);
    assert.is(logicalSecret(live.world, 'connection'), undefined);
    const env = jobIn(live.world, 'drop')?.spec.template.spec.containers[0]?.env ?? [];
    assert.is(env.find(({ name }) => name === 'DATABASE')?.value, 'shop_production_recipes');
    await live.edit((world) => jobEnds(world, 'drop', 'Complete'));
    assert.is(live.found(), undefined);
    assert.is(jobIn(live.world, 'drop'), undefined);
    assert.is(logicalSecret(live.world, 'login'), undefined);
  }),
);

spec('LDB-055 LDB-056 LDB-102 a drop that hangs is left after 3 minutes, one without its server at once', async () => {
  await living({}, async (live) => {
    await provision(live);
    await live.remove();
    await live.pass(170);
    assert.ok(live.found());
    await live.pass(20);
    assert.is(live.found(), undefined);
    assert.is(jobIn(live.world, 'drop'), undefined);
  });
  await living({}, async (live) => {
    await provision(live);
    await live.edit((world) => putServer(world, { ready: 'False' }));
    await live.remove();
    assert.is(live.found(), undefined);
  });
});

spec('LDB-027 of two objects with one database the older keeps it; the younger ends, and takes nothing with it', () =>
  living({ prepare: (world) => putLogical(world, {}, 'another') }, async (live) => {
    const names = [logicalName, 'another'];
    const failed = names.find((name) => logicalIn(live.world, name)?.status?.phase === 'ProvisionFailed') ?? '';
    const other = names.find((name) => name !== failed) ?? '';
    const ready = logicalIn(live.world, failed)?.status?.conditions?.[0];
    assert.equal([ready?.reason, ready?.message], ['ProvisionFailed', 'logical database already exists']);
    await live.edit((world) => jobEnds(world, 'create', 'Complete', { name: other }));
    await live.remove(logicalDatabases, failed);
    assert.is(logicalIn(live.world, failed), undefined);
    assert.is(jobIn(live.world, 'drop', { name: failed }), undefined);
    assert.is(logicalIn(live.world, other)?.status?.phase, 'Ready');
  }),
);

/** How a server of each engine comes to be made anew, and what is no reason to think so. */
const servers = [
  {
    engine: 'Postgres',
    anew: (world: World) => {
      world.cluster.drop(postgresClusters, serverName, 'core-system');
      putCluster(world, true, 'made-again');
    },
    same: (world: World) => {
      world.cluster.drop(owned.secrets, `${serverName}-bootstrap`, 'core-system');
      putServerSecrets(world, true, 'made-again');
    },
  },
  {
    engine: 'MySQL',
    anew: (world: World) => {
      world.cluster.drop(chartClaims, `data-core-mysql-${serverName}-0`, 'core-system');
      putClaim(world, true, 'made-again');
    },
    same: (world: World) => {
      world.cluster.drop(owned.secrets, `${serverName}-bootstrap`, 'core-system');
      putServerSecrets(world, true, 'made-again');
    },
  },
] as const;

for (const { engine, anew, same } of servers)
  spec(`a ${engine} server that was made anew has nothing of it: it is created again, with the same password`, () =>
    living({ server: { spec: { engine } } }, async (live) => {
      await provision(live);
      const password = logicalText(live.world, 'password');
      await live.edit(same);
      await live.pass(12);
      isReady(live);
      await live.edit(anew);
      await live.pass(12);
      assert.is(live.message(), 'creating logical database');
      await provision(live);
      assert.is(logicalText(live.world, 'password'), password);
    }),
  );

spec('a connection Secret that somebody deletes is put back, and a foreign one is never written', async () => {
  await living({}, async (live) => {
    await provision(live);
    await live.edit(({ cluster }) => cluster.drop(owned.secrets, 'recipes-connection', namespace));
    await live.pass(2);
    assert.is(logicalText(live.world, 'host'), 'main-rw.core-system.svc');
    isReady(live);
  });
  const foreign = { metadata: { name: 'recipes-connection', namespace }, data: { host: 'bWluZQ==' } };
  await living({ prepare: ({ cluster }) => void cluster.put(owned.secrets, foreign) }, async (live) => {
    await live.edit((world) => jobEnds(world, 'create', 'Complete'));
    assert.is(live.message(), 'Secret shop-production/recipes-connection already exists and is not managed by Core');
    assert.equal(logicalSecret(live.world, 'connection')?.data, foreign.data);
  });
});

spec.run();
