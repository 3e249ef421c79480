import * as assert from 'uvu/assert';
import { coreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { ranAs } from '../../../../rules/database/effective.ts';
import { databaseImages } from '../../../../rules/database/images.ts';
import { workloadObjects } from '../../../../rules/database/workload.ts';
import { serverServices } from '../../../../runtime/local/addons/postgres/objects.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { databases, logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import {
  claimIn,
  databaseIn,
  databaseName,
  deploymentIn,
  kubelet,
  putDatabase,
  putReadyProject,
  putReport,
  putDatabaseEnvironment,
  textIn,
} from '../../../support/database.ts';
import { chartIn, putDefinition, serverIn } from '../../../support/engines.ts';
import { inSystem, putProject } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { databaseOf } from './databaseOf.ts';
import { type DatabaseSession, databaseSession } from './session.ts';

const spec = suite('requirements common to all databases');

async function withSession(
  changes: Partial<DatabaseSpec>,
  test: (session: DatabaseSession) => Promise<void>,
  prepare: (environment: TestEnvironment) => void = () => {},
) {
  const session = await databaseSession({ spec: { deploy: { enabled: true }, ...changes } }, (environment) => {
    putDatabaseEnvironment(environment);
    prepare(environment);
  });
  try {
    await session.pass(1);
    await test(session);
  } finally {
    await session.end();
  }
}

interface Placed {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly nodeSelector?: Readonly<Record<string, string>>;
        readonly tolerations?: readonly { readonly key: string; readonly value: string }[];
      };
    };
  };
}
const podIn = (environment: TestEnvironment) => (deploymentIn(environment) as Placed | undefined)?.spec?.template?.spec;
const placementOf = (database: CoreDatabase | undefined): unknown =>
  JSON.parse(database?.metadata.annotations?.[annotation.nodePlacement] ?? '{}');
const runs = (session: DatabaseSession) => session.edit((environment) => kubelet(environment, 'runs'));

spec('DB-002 DB-004 a database carries the finalizer of its kind and is deleted after its resources', () =>
  withSession({}, async (session) => {
    assert.equal(session.database().metadata.finalizers, ['core.platform/database']);
    assert.is(session.database().metadata.namespace, 'core-system');
    const keep = (finalizers: readonly string[]) => {
      const claim = claimIn(session.environment);
      const { metadata } = claim ?? {};
      if (claim && metadata)
        session.environment.cluster.put(owned.claims, { ...claim, metadata: { ...metadata, finalizers } });
    };
    await session.edit(() => keep(['kubernetes.io/pvc-protection']));
    await session.remove();
    await session.pass(62);
    assert.ok(databaseIn(session.environment), 'its volume is still there');
    await session.edit(() => keep([]));
    await session.pass(62);
    assert.is(databaseIn(session.environment), undefined);
  }),
);

/** A person writes the database anew, without what the usual one has. */
const sharedServer = (changes: Partial<DatabaseSpec>) => (environment: TestEnvironment) => {
  putDatabase(environment, changes);
  const found = databaseIn(environment);
  if (!found) return;
  const { project: _, environment: __, ...rest } = found.spec;
  environment.cluster.put(databases, { ...found, spec: rest });
};

spec('DB-007 DB-010 DB-070 a database without a project is the shared server in core-system, in its own region', () =>
  withSession(
    { serverRegion: 'eu' },
    async (session) => {
      assert.is(session.message(), 'There is no ready node in the eu region to run this SQLite database');
      await session.edit(({ cluster }) =>
        cluster.put(clusterNodes, {
          metadata: { name: 'eu', labels: { 'core.platform/region': 'eu' } },
          status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
        }),
      );
      await session.pass(61);
      assert.is(session.database().status?.targetNamespace, 'core-system');
      assert.equal(placementOf(session.database()), { region: 'eu' });
      const [deployment] = session.environment.cluster.all(owned.deployments);
      assert.is(deployment?.metadata.namespace, 'core-system');
      assert.is(deployment?.metadata.labels?.['core.platform/project'], undefined);
    },
    (environment) => sharedServer({})(environment),
  ),
);

spec('DB-070 the region of a project applies to its databases, and serverRegion is ignored', () =>
  withSession(
    { serverRegion: 'mars' },
    async (session) => {
      assert.equal(placementOf(session.database()), { region: 'local' });
      await runs(session);
      assert.is(session.ready(), 'True DatabaseReady');
    },
    (environment) => putProject(environment, { region: 'local' }),
  ),
);

spec('DB-009 DB-174 an environment missing in the project is refused and counted as a failure', () =>
  withSession({ environment: 'staging' }, async (session) => {
    assert.is(session.message(), 'project "shop" has no staging environment');
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures, 1);
    assert.is(deploymentIn(session.environment), undefined);
  }),
);

const external: Partial<DatabaseSpec> = {
  engine: 'Postgres',
  placement: 'External',
  externalHost: 'db.example',
  username: 'shop',
  passwordSecretRef: { name: 'orders-password', key: 'pass', optional: true },
};
const putPassword = ({ cluster }: TestEnvironment, data: Readonly<Record<string, string>>): void =>
  void cluster.put(secrets, { metadata: inSystem('orders-password'), data });

spec('DB-024 DB-031 DB-039 an external database has the host and login of its spec and ignores highAvailability', () =>
  withSession(
    { ...external, highAvailability: true },
    async (session) => {
      assert.is(session.ready(), 'True DatabaseReady');
      assert.equal(
        ['host', 'username', 'password'].map((key) => textIn(session.environment, 'connection', key)),
        ['db.example', 'shop', 'told'],
      );
      await session.edit((environment) =>
        putDatabase(environment, { externalHost: 'other.example', username: 'owner' }),
      );
      assert.equal(
        ['host', 'username'].map((key) => textIn(session.environment, 'connection', key)),
        ['other.example', 'owner'],
      );
    },
    (environment) => putPassword(environment, { pass: btoa('told') }),
  ),
);

spec('DB-042 an optional password reference without its key is reported', () =>
  withSession(
    external,
    async (session) => {
      assert.is(session.message(), 'the Secret "orders-password" with the password is missing, or has no such key');
    },
    (environment) => putPassword(environment, { other: btoa('told') }),
  ),
);

const settled = {
  placement: { region: '', tags: [] },
  storageClass: '',
  requiredTags: [],
  firstSize: null,
  hasLogical: false,
  images: databaseImages,
} as unknown as Parameters<typeof workloadObjects>[2];
const builtOf = (changes: Partial<DatabaseSpec>): string => {
  const database = databaseOf(changes);
  return JSON.stringify(workloadObjects(database, database.spec, settled));
};

spec('DB-045 the version is the image tag of Postgres and is ignored for other engines', () => {
  assert.match(builtOf({ engine: 'Postgres', version: '15' }), /"imageName":"[^"]+:15"/);
  for (const engine of ['MySQL', 'Redis', 'SQLite'] as const)
    assert.is(builtOf({ engine, version: '15' }), builtOf({ engine, version: '16' }), engine);
  const ran = (engine: DatabaseSpec['engine']) => ranAs(databaseOf({ engine }), databaseOf({ engine }).spec).version;
  assert.equal((['Postgres', 'MySQL', 'Redis', 'SQLite'] as const).map(ran), ['16', '', '', '']);
});

const listening = ({ metadata, spec: made }: KubeObject & { readonly spec?: object }): string => {
  const { ports = [] } = (made ?? {}) as { readonly ports?: readonly { readonly port: number }[] };
  return `${metadata.name}:${ports.map(({ port }) => port).join()}`;
};

spec('DB-072 DB-081 Postgres with high availability runs three instances, with Services for writing and reading', () =>
  withSession(
    { engine: 'Postgres', highAvailability: true },
    async (session) => {
      const server = serverIn(session.environment);
      assert.is((server as { readonly spec?: { readonly instances?: number } } | undefined)?.spec?.instances, 3);
      // The operator makes these unless it is told not to.
      assert.not.match(JSON.stringify(server), /disabledDefaultServices/);
      assert.equal((server ? serverServices(server) : []).map(listening), [
        'orders-rw:5432',
        'orders-ro:5432',
        'orders-r:5432',
      ]);
    },
    (environment) => {
      putDefinition(environment);
      putReport(environment, 3);
      for (const name of ['two', 'three'])
        environment.cluster.put(clusterNodes, {
          metadata: { name, labels: { 'core.platform/region': 'local' } },
          status: { allocatable: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
        });
    },
  ),
);

spec('DB-182 a database waiting for the readiness report is checked every 30 s and counts no failure', () =>
  withSession({ engine: 'Redis', highAvailability: true }, async (session) => {
    assert.is(session.message(), 'High availability requires a cluster with at least three healthy nodes');
    const { operator } = session;
    const [controller] = operator().controllers;
    if (!controller) throw new Error('no controller');
    const due = () => (operator().requeueAt(controller, databaseName) ?? 0) - session.time.now();
    for (let round = 0; round < 3; round++) {
      assert.ok(due() > 0 && due() <= 30_000, `in ${due()} ms`);
      await session.pass(30);
    }
    assert.is(session.database().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    assert.is(chartIn(session.environment, 'core-redis-db-orders'), undefined);
  }),
);

const tagged = (name: string, tags: readonly string[], cpu = '4') => ({
  metadata: {
    name,
    labels: {
      'core.platform/region': 'local',
      ...Object.fromEntries(tags.map((tag) => [`core.platform/tag-${tag}`, 'true'])),
    },
  },
  status: { allocatable: { cpu, memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

spec('DB-202 the placement message names the region and every tag that a node needs', () =>
  withSession(
    { runOn: { tags: ['ssd', 'fast'] } },
    async (session) => {
      const message = session.message();
      assert.match(message, /^There is no ready node in the local region with the tags /);
      for (const tag of ['ssd', 'fast', 'certified']) assert.match(message, new RegExp(`\\b${tag}\\b`));
    },
    (environment) => putProject(environment, { requiredTags: ['certified'] }),
  ),
);

spec(
  'PRJ-038 DB-068 DB-126 DB-127 tags become a node selector and tolerations of a database, and are fixed afterwards',
  () =>
    withSession(
      { runOn: { tags: ['ssd'] } },
      async (session) => {
        const selector = {
          'core.platform/region': 'local',
          'core.platform/tag-ssd': 'true',
          'core.platform/tag-certified': 'true',
        };
        assert.equal(podIn(session.environment)?.nodeSelector, selector);
        assert.equal(
          podIn(session.environment)
            ?.tolerations?.map(({ key, value }) => `${key}=${value}`)
            .toSorted(),
          ['core.platform/reserved=certified', 'core.platform/reserved=ssd'],
        );
        await runs(session);
        assert.is(session.ready(), 'True DatabaseReady');
        const { annotations = {} } = session.database().metadata;
        const written = [annotations[annotation.nodePlacement], annotations[annotation.storageClass]];
        assert.ok(written.every((one) => one !== undefined));
        await session.edit((environment) => {
          putDatabase(environment, { runOn: { tags: ['other'] } });
          putProject(environment, { requiredTags: [], region: 'eu' });
        });
        await session.pass(61);
        const after = session.database().metadata.annotations ?? {};
        assert.equal([after[annotation.nodePlacement], after[annotation.storageClass]], written);
        assert.equal(podIn(session.environment)?.nodeSelector, selector);
      },
      (environment) => {
        putProject(environment, { requiredTags: ['certified'] });
        environment.cluster.put(clusterNodes, tagged('tagged', ['ssd', 'certified']));
      },
    ),
);

spec('KND-060 KND-065 a second equal failure counts after 30 s, and a ready database has no counted failures', () =>
  withSession(
    {},
    async (session) => {
      const failures = () => session.database().status?.reconcileRetry?.reconcileFailures ?? 0;
      assert.is(failures(), 1);
      await session.pass(27);
      assert.is(failures(), 1);
      await session.pass(4);
      assert.is(failures(), 2);
      await session.edit((environment) => putReadyProject(environment, 'True'));
      await session.pass(1);
      await runs(session);
      assert.is(session.ready(), 'True DatabaseReady');
      const { reconcileFailures, gaveUp, reconcileFailureStarted } = session.database().status?.reconcileRetry ?? {};
      assert.equal([reconcileFailures ?? 0, gaveUp, reconcileFailureStarted], [0, undefined, undefined]);
      assert.is(session.moves('provisionRetry').at(-1)?.split(' ').at(-1), 'Clean');
    },
    (environment) => putReadyProject(environment, 'False'),
  ),
);

spec('DB-115 DB-116 the status of a database has only the condition Ready and names no build or deployment', () =>
  withSession({}, async (session) => {
    await runs(session);
    const { conditions, provision } = session.database().status ?? {};
    assert.equal(
      conditions?.map(({ type, status }) => `${type} ${status}`),
      ['Ready True'],
    );
    assert.equal([provision?.buildRef, provision?.deploymentRef], [undefined, undefined]);
  }),
);

spec('DB-140 kubectl may delete a shared server that logical databases use', () =>
  withSession({}, async (session) => {
    await session.edit(({ cluster }) =>
      cluster.put(logicalDatabases, {
        ...typeMeta(coreLogicalDatabase),
        metadata: inSystem('shop-app'),
        spec: { project: 'shop', environment: 'production', serverRef: databaseName, databaseName: 'app' },
      }),
    );
    await session.remove();
    await session.edit((environment) => kubelet(environment, 'runs'));
    await session.pass(62);
    assert.is(databaseIn(session.environment), undefined);
  }),
);

spec.run();
