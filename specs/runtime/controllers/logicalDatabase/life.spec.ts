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
import type { TestEnvironment } from '../../../support/environment.ts';
import { type LogicalSession, withSession } from './session.ts';

const spec = suite('the life of a logical database');
const isReady = (session: LogicalSession) =>
  assert.equal(
    [session.ready(), session.message()],
    ['True LogicalDatabaseReady', 'Logical database connection is available'],
  );
const finalizers = (session: LogicalSession) => session.object().metadata.finalizers ?? [];
const errors = (session: LogicalSession) => session.attempts()[0]?.errors?.map(({ message }) => message) ?? [];
const namespace = 'shop-production';
const own = { isShared: false, spec: { project: 'shop', environment: 'production' } } as const;
const provision = async (session: LogicalSession, of: Parameters<typeof jobEnds>[3] = {}) => {
  await session.edit((environment) => jobEnds(environment, 'create', 'Complete', of));
  isReady(session);
};

spec(
  'LDB-004 LDB-010 LDB-030 LDB-031 LDB-032 LDB-033 LDB-035 LDB-036 LDB-038 LDB-042 LDB-043 LDB-046 LDB-058 LDB-059 LDB-092 LDB-094 a logical database on a shared server gets a login and becomes Ready',
  () =>
    withSession({}, async (session) => {
      assert.equal([session.ready(), session.message()], ['False ReconcileError', 'creating logical database']);
      assert.equal(finalizers(session), ['core.platform/logicaldatabase']);
      assert.ok(logicalSecret(session.environment, 'login'));
      assert.is(logicalSecret(session.environment, 'connection'), undefined);
      await provision(session);
      const { status } = session.object();
      assert.equal(
        status?.conditions?.map(({ type }) => type),
        ['Ready'],
      );
      assert.is(status?.connectionSecret, 'recipes-connection');
      assert.is(status?.jobName, 'recipes-create');
      assert.is(status?.database, 'shop_production_recipes');
      assert.match(status?.username ?? '', /^u_[0-9a-f]{16}$/);
      const password = logicalText(session.environment, 'password');
      assert.equal(Object.keys(logicalSecret(session.environment, 'connection')?.data ?? {}).toSorted(), [
        'database',
        'host',
        'password',
        'port',
        'uri',
        'username',
      ]);
      assert.is(
        logicalText(session.environment, 'uri'),
        `postgresql://${status?.username}:${password}@main-rw.core-system.svc:5432/shop_production_recipes`,
      );
      assert.equal(session.moves('logicalDatabase'), [
        '(none) created Provisioning',
        'Provisioning jobCreated Provisioning',
        'Provisioning connectionWritten Ready',
      ]);
    }),
);

spec('LDB-005 LDB-016 LDB-029 LDB-037 a logical database on a project server has no finalizer or login', () =>
  withSession({ server: { ...own, spec: { ...own.spec, engine: 'MySQL' } } }, async (session) => {
    assert.equal(finalizers(session), []);
    assert.is(jobIn(session.environment, 'create', { namespace })?.metadata.namespace, namespace);
    await provision(session, { namespace });
    const { status } = session.object();
    assert.equal([status?.database, status?.username], ['recipes', undefined]);
    assert.is(logicalSecret(session.environment, 'login'), undefined);
    assert.is(
      logicalText(session.environment, 'uri'),
      'mysql://app:apps-own@core-mysql-main.shop-production.svc:3306/recipes',
    );
  }),
);

spec(
  'LDB-057 LDB-103 Secret and Job stay when a logical database on a server of its project is deleted, and a new one reuses them',
  () =>
    withSession({ server: own }, async (session) => {
      await provision(session, { namespace });
      await session.remove();
      assert.is(session.found(), undefined);
      assert.ok(logicalSecret(session.environment, 'connection'));
      assert.ok(jobIn(session.environment, 'create', { namespace }));
      assert.is(jobIn(session.environment, 'drop', { namespace }), undefined);
      await session.edit((environment) => putLogical(environment));
      await session.pass(12);
      assert.is(session.message(), 'creating logical database');
      await provision(session, { namespace });
    }),
);

spec('LDB-093 LDB-069 LDB-070 LDB-081 LDB-082 a missing server or login is waited for and not counted', () =>
  withSession({ server: null }, async (session) => {
    assert.is(session.message(), `database server "${serverName}" is unavailable`);
    await session.edit((environment) => putServer(environment, { ready: 'False' }));
    assert.is(session.message(), 'database server is not ready');
    await session.edit((environment) => {
      putServer(environment);
      environment.cluster.drop(owned.secrets, `${serverName}-superuser`, 'core-system');
    });
    assert.is(session.message(), "Waiting for the database server's administrator login");
    await session.pass(300);
    assert.is(session.object().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await session.edit(putAdmin);
    assert.is(session.message(), 'creating logical database');
    await session.pass(300);
    assert.is(session.phase(), 'Provisioning');
  }),
);

spec('LDB-083 LDB-095 LDB-100 a failed Job fails the logical database at once, and Retry runs another Job', () =>
  withSession({}, async (session) => {
    await session.edit((environment) => jobEnds(environment, 'create', 'Failed'));
    assert.equal([session.ready(), session.message()], ['False ProvisionFailed', 'database creation Job failed']);
    assert.is(session.object().status?.reconcileRetry?.reconcileFailures, 0);
    const before = jobIn(session.environment, 'create')?.metadata.annotations?.['core.platform/run'];
    assert.is(await session.ask('provisionRetry', 'retry'), null);
    assert.ok(session.messages.includes('Retrying provisioning'));
    await session.pass(12);
    const after = jobIn(session.environment, 'create')?.metadata.annotations?.['core.platform/run'];
    assert.ok(after !== undefined && after !== before);
    await provision(session);
  }),
);

spec('LDB-027 decision 80: a logical database fails with the refusal when another login owns it', () =>
  withSession({}, async (session) => {
    await session.edit((environment) => jobEnds(environment, 'create', 'taken'));
    assert.equal([session.ready(), session.message()], ['False ProvisionFailed', 'logical database already exists']);
  }),
);

spec(
  'LDB-060 LDB-075 LDB-079 LDB-096 LDB-097 a server in another region counts as a failure and fails the logical database after five',
  () =>
    withSession({ server: { annotations: { 'core.platform/node-placement': '{"region":"us"}' } } }, async (session) => {
      const text = 'This database server runs in the us region, but the project runs in the local region';
      assert.is(session.message(), text);
      await session.pass(150);
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.match(session.message(), /^Provisioning failed after repeated errors/);
      assert.equal(errors(session), [text, text, text, text, text]);
      assert.is(jobIn(session.environment, 'create'), undefined);
    }),
);

spec(
  'PRJ-050 LDB-061 LDB-076 LDB-077 LDB-078 LDB-098 LDB-099 a tag that the server lacks counts as a failure, and changed tags retry unless the object has failed',
  () =>
    withSession({ prepare: (environment) => putProject(environment, { requiredTags: ['gdpr'] }) }, async (session) => {
      const text = 'This database server does not run on nodes tagged gdpr, which the project requires';
      assert.is(session.message(), text);
      await session.edit((environment) => putProject(environment, { requiredTags: [] }));
      assert.is(session.message(), 'creating logical database');
      await session.edit((environment) => putProject(environment, { requiredTags: ['gdpr'] }));
      await session.pass(200);
      assert.is(session.ready(), 'False ProvisionFailed');
      await session.edit((environment) => putProject(environment, { requiredTags: [] }));
      assert.is(session.ready(), 'False ProvisionFailed');
    }),
);

spec('PRJ-050 LDB-076 a shared server has to run on nodes with all the tags that the project requires', () =>
  withSession(
    {
      server: { annotations: { 'core.platform/node-placement': '{"region":"local","tags":["gdpr","ssd"]}' } },
      prepare: (environment) => putProject(environment, { requiredTags: ['gdpr', 'pci'] }),
    },
    async (session) => {
      assert.match(session.message(), /^This database server does not run on nodes tagged .*pci/);
      await session.edit((environment) => putProject(environment, { requiredTags: ['ssd', 'gdpr'] }));
      assert.is(session.message(), 'creating logical database');
    },
  ),
);

spec(
  'LDB-008 LDB-071 LDB-072 LDB-073 LDB-074 LDB-080 each refusal of a logical database is as documented',
  async () => {
    const cases: readonly [string, Parameters<typeof withSession>[0]][] = [
      ['project "shop" is not ready', { prepare: (environment) => putReadyProject(environment, 'False') }],
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
        { prepare: ({ cluster }) => cluster.drop(owned.secrets, `${serverName}-connection`, 'core-system') },
      ],
    ];
    for (const [text, given] of cases)
      await withSession(given, async (session) => {
        assert.is(session.message(), text);
        await session.pass(0);
      });
  },
);

spec(
  'LDB-017 LDB-039 LDB-045 LDB-047 LDB-048 LDB-049 LDB-050 LDB-052 the Job has labels, arguments without a password, and tolerates no reserved node',
  () =>
    withSession(
      {
        server: {
          annotations: { 'core.platform/node-placement': '{"region":"local","tags":["fast"],"required":["x"]}' },
        },
      },
      async (session) => {
        const job = jobIn(session.environment, 'create');
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
        const password = Buffer.from(
          logicalSecret(session.environment, 'login')?.data?.['password'] ?? '',
          'base64',
        ).toString();
        assert.not.ok(JSON.stringify(job).includes(password));
      },
    ),
);

spec('LDB-041 LDB-051 the Job for a MySQL server of the project uses root and the tags of the placement', () =>
  withSession(
    {
      server: {
        ...own,
        spec: { ...own.spec, engine: 'MySQL' },
        annotations: { 'core.platform/node-placement': '{"region":"local","tags":["fast"],"required":["gdpr"]}' },
      },
    },
    async (session) => {
      const pod = jobIn(session.environment, 'create', { namespace })?.spec.template.spec;
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
      await session.pass(0);
    },
  ),
);

spec('LDB-053 LDB-054 LDB-101 LDB-102 a deletion on a shared server drops the database and its Secrets', () =>
  withSession({}, async (session) => {
    await provision(session);
    await session.remove();
    await session.pass(10);
    assert.is(session.phase(), 'Deleting');
    assert.is(session.message(), 'Logical database is being deleted');
    assert.is(jobIn(session.environment, 'create'), undefined);
    assert.is(logicalSecret(session.environment, 'connection'), undefined);
    const env = jobIn(session.environment, 'drop')?.spec.template.spec.containers[0]?.env ?? [];
    assert.is(env.find(({ name }) => name === 'DATABASE')?.value, 'shop_production_recipes');
    await session.edit((environment) => jobEnds(environment, 'drop', 'Complete'));
    assert.is(session.found(), undefined);
    assert.is(jobIn(session.environment, 'drop'), undefined);
    assert.is(logicalSecret(session.environment, 'login'), undefined);
  }),
);

spec('LDB-055 LDB-056 LDB-102 a hanging drop ends after 3 minutes, one without a server at once', async () => {
  await withSession({}, async (session) => {
    await provision(session);
    await session.remove();
    await session.pass(170);
    assert.ok(session.found());
    await session.pass(20);
    assert.is(session.found(), undefined);
    assert.is(jobIn(session.environment, 'drop'), undefined);
  });
  await withSession({}, async (session) => {
    await provision(session);
    await session.edit((environment) => putServer(environment, { ready: 'False' }));
    await session.remove();
    assert.is(session.found(), undefined);
  });
});

spec('LDB-027 the older of two objects of one database keeps the database, and deleting the other drops nothing', () =>
  withSession({ prepare: (environment) => putLogical(environment, {}, 'another') }, async (session) => {
    const names = [logicalName, 'another'];
    const failed =
      names.find((name) => logicalIn(session.environment, name)?.status?.phase === 'ProvisionFailed') ?? '';
    const other = names.find((name) => name !== failed) ?? '';
    const ready = logicalIn(session.environment, failed)?.status?.conditions?.[0];
    assert.equal([ready?.reason, ready?.message], ['ProvisionFailed', 'logical database already exists']);
    await session.edit((environment) => jobEnds(environment, 'create', 'Complete', { name: other }));
    await session.remove(logicalDatabases, failed);
    assert.is(logicalIn(session.environment, failed), undefined);
    assert.is(jobIn(session.environment, 'drop', { name: failed }), undefined);
    assert.is(logicalIn(session.environment, other)?.status?.phase, 'Ready');
  }),
);

/** How a server of each engine comes to be made anew, and what is no reason to think so. */
const servers = [
  {
    engine: 'Postgres',
    anew: (environment: TestEnvironment) => {
      environment.cluster.drop(postgresClusters, serverName, 'core-system');
      putCluster(environment, true, 'made-again');
    },
    same: (environment: TestEnvironment) => {
      environment.cluster.drop(owned.secrets, `${serverName}-bootstrap`, 'core-system');
      putServerSecrets(environment, true, 'made-again');
    },
  },
  {
    engine: 'MySQL',
    anew: (environment: TestEnvironment) => {
      environment.cluster.drop(chartClaims, `data-core-mysql-${serverName}-0`, 'core-system');
      putClaim(environment, true, 'made-again');
    },
    same: (environment: TestEnvironment) => {
      environment.cluster.drop(owned.secrets, `${serverName}-bootstrap`, 'core-system');
      putServerSecrets(environment, true, 'made-again');
    },
  },
] as const;

for (const { engine, anew, same } of servers)
  spec(`a logical database is created on a recreated ${engine} server with the same password`, () =>
    withSession({ server: { spec: { engine } } }, async (session) => {
      await provision(session);
      const password = logicalText(session.environment, 'password');
      await session.edit(same);
      await session.pass(12);
      isReady(session);
      await session.edit(anew);
      await session.pass(12);
      assert.is(session.message(), 'creating logical database');
      await provision(session);
      assert.is(logicalText(session.environment, 'password'), password);
    }),
  );

spec('a deleted connection Secret is restored, and an unmanaged one is never written', async () => {
  await withSession({}, async (session) => {
    await provision(session);
    await session.edit(({ cluster }) => cluster.drop(owned.secrets, 'recipes-connection', namespace));
    await session.pass(2);
    assert.is(logicalText(session.environment, 'host'), 'main-rw.core-system.svc');
    isReady(session);
  });
  const unmanaged = { metadata: { name: 'recipes-connection', namespace }, data: { host: 'bWluZQ==' } };
  await withSession({ prepare: ({ cluster }) => void cluster.put(owned.secrets, unmanaged) }, async (session) => {
    await session.edit((environment) => jobEnds(environment, 'create', 'Complete'));
    assert.is(session.message(), 'Secret shop-production/recipes-connection already exists and is not managed by Core');
    assert.equal(logicalSecret(session.environment, 'connection')?.data, unmanaged.data);
  });
});

spec.run();
