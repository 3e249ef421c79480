import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type AppSpec, coreApp } from '../../../crds/coreApp.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { apps, databases } from '../../../runtime/services/cluster/kinds.ts';
import { Unavailable, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { putReadyProject, workflow } from '../../support/database.ts';
import { inSystem, putCluster } from '../../support/project.ts';
import { draft, kubelet } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { databaseSession } from './database/session.ts';
import { withSession, running } from './service/session.ts';

const spec = suite('timers of objects');

const closed = { deploy: { enabled: false } };

spec('KND-064 a service that is a draft has no timer', () =>
  withSession({ spec: closed, annotations: draft }, async (session) => {
    await session.pass(60);
    assert.is(session.phase(), 'Draft');
    assert.not(session.hasTimer());
  }),
);

spec('KND-064 a paused service has no timer', () =>
  withSession({ annotations: { [annotation.paused]: 'true' } }, async (session) => {
    await session.pass(60);
    assert.not(session.hasTimer());
  }),
);

spec('KND-067 a service that is ProvisionFailed has no timer', () =>
  withSession({ spec: { secretRefs: [{ name: 'absent' }] } }, async (session) => {
    await session.pass(600);
    assert.is(session.phase(), 'ProvisionFailed');
    assert.not(session.hasTimer());
  }),
);

spec('SVC-007a a service that runs has no timer', () =>
  withSession({}, async (session) => {
    await running(session);
    await session.pass(60);
    assert.is(session.phase(), 'Ready');
    assert.not(session.hasTimer());
  }),
);

spec('KND-064 a database that is a draft has no timer', async () => {
  const session = await databaseSession({ spec: closed, annotations: workflow });
  await session.pass(60);
  assert.is(session.phase(), 'Draft');
  assert.not(session.hasTimer());
  await session.end();
});

spec('a service that follows no branch has no timer for one, even when the operator has just started', () =>
  withSession({ spec: closed, annotations: draft }, async (session) => {
    await session.pass(60);
    await session.crash();
    assert.is(session.phase(), 'Draft');
    assert.not(session.hasTimer());
  }),
);

type Wait = readonly [
  ids: string,
  message: string,
  given: { readonly spec?: Partial<AppSpec>; readonly prepare?: (environment: TestEnvironment) => void },
  comes: (environment: TestEnvironment) => void,
];

const readsOrders: Partial<AppSpec> = {
  connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'DATABASE_URL', key: 'uri' }],
};
const host = 'shop.example';
const asksForHost: Partial<AppSpec> = { networking: { host, tls: false } };

const putOrders = (environment: TestEnvironment, status: 'True' | 'False') =>
  void environment.cluster.put(databases, {
    ...typeMeta(coreDatabase),
    metadata: inSystem('orders'),
    spec: {
      project: 'shop',
      environment: 'production',
      engine: 'SQLite',
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: true },
    },
    status: {
      conditions: [{ type: 'Ready', status, reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  });

/** Another service that asks for a host, and comes first by its name; it is paused, so that nobody writes what it runs on. */
const putFirst = ({ cluster }: TestEnvironment, itsHost: string) =>
  void cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: {
      ...inSystem('first'),
      creationTimestamp: '2020-01-01T00:00:00Z',
      annotations: { [annotation.paused]: 'true' },
    },
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'nginx:1.27' },
      deploy: { enabled: true },
      networking: { host: itsHost, tls: false },
    },
  });

/** What a service waits for, and the change that ends the wait. */
const waits: readonly Wait[] = [
  [
    'SVC-004 SVC-027',
    'project "shop" is not ready',
    { prepare: (environment) => putReadyProject(environment, 'False') },
    (environment) => putReadyProject(environment, 'True'),
  ],
  [
    'SVC-004 SVC-029',
    'project "shop" cluster "local" is not ready',
    { prepare: (environment) => putCluster(environment, 'local', 'False') },
    (environment) => putCluster(environment),
  ],
  [
    'SVC-004 SVC-036',
    'database "orders" is not ready',
    { spec: readsOrders, prepare: (environment) => putOrders(environment, 'False') },
    (environment) => putOrders(environment, 'True'),
  ],
  [
    'SVC-004 SVC-043b',
    `The host ${host} belongs to another service`,
    { spec: asksForHost, prepare: (environment) => putFirst(environment, host) },
    (environment) => putFirst(environment, 'other.example'),
  ],
  ['SVC-004 SVC-043', 'Service is starting', {}, (environment) => kubelet(environment, 'runs')],
];

for (const [ids, message, given, comes] of waits)
  spec(`${ids} a service waits for an event while "${message}", and is woken when that ends`, () =>
    withSession(given, async (session) => {
      if (message.startsWith('The host')) await running(session);
      if (message === 'Service is starting') await session.edit((environment) => kubelet(environment, 'starts'));
      await session.pass(60);
      assert.is(session.message(), message);
      if (message.startsWith('The host')) assert.is(session.app().status?.causes?.[0]?.on.name, 'first');
      // The Events of a pod whose containers are not created are read each minute.
      assert.is(session.hasTimer(), message === 'Service is starting');
      await session.edit(comes);
      assert.is.not(session.message(), message);
    }),
  );

spec(
  'SVC-004b a service has a timer while the API refuses its resources, because no event reports the end of that',
  () => {
    let isAway = true;
    const through = (cluster: ClusterShape): ClusterShape => ({
      ...cluster,
      apply: (...given) =>
        isAway ? Effect.fail(new Unavailable({ message: 'it does not answer' })) : cluster.apply(...given),
    });
    return withSession({ through }, async (session) => {
      await session.pass(60);
      assert.is(session.message(), 'it does not answer');
      assert.ok(session.hasTimer());
      isAway = false;
      await session.pass(60);
      assert.ok(session.message().startsWith('Starting service'), session.message());
    });
  },
);

spec.run();
