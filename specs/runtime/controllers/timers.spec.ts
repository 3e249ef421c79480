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
import type { World } from '../../support/world.ts';
import { liveDatabase } from './database/live.ts';
import { living, running } from './service/live.ts';

const spec = suite('who has a timer');

const closed = { deploy: { enabled: false } };

spec('KND-064 a service that is a draft has no timer', () =>
  living({ spec: closed, annotations: draft }, async (live) => {
    await live.pass(60);
    assert.is(live.phase(), 'Draft');
    assert.not(live.hasTimer());
  }),
);

spec('KND-064 a paused service has no timer', () =>
  living({ annotations: { [annotation.paused]: 'true' } }, async (live) => {
    await live.pass(60);
    assert.not(live.hasTimer());
  }),
);

spec('KND-067 a service that was given up has no timer', () =>
  living({ spec: { secretRefs: [{ name: 'absent' }] } }, async (live) => {
    await live.pass(600);
    assert.is(live.phase(), 'ProvisionFailed');
    assert.not(live.hasTimer());
  }),
);

spec('SVC-007a a service that runs has no timer', () =>
  living({}, async (live) => {
    await running(live);
    await live.pass(60);
    assert.is(live.phase(), 'Ready');
    assert.not(live.hasTimer());
  }),
);

spec('KND-064 a database that is a draft has no timer', async () => {
  const live = await liveDatabase({ spec: closed, annotations: workflow });
  await live.pass(60);
  assert.is(live.phase(), 'Draft');
  assert.not(live.hasTimer());
  await live.end();
});

spec('a service that follows no branch has no timer for one, even when the operator has just started', () =>
  living({ spec: closed, annotations: draft }, async (live) => {
    await live.pass(60);
    await live.crash();
    assert.is(live.phase(), 'Draft');
    assert.not(live.hasTimer());
  }),
);

type Wait = readonly [
  ids: string,
  message: string,
  given: { readonly spec?: Partial<AppSpec>; readonly prepare?: (world: World) => void },
  comes: (world: World) => void,
];

const readsOrders: Partial<AppSpec> = {
  connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'DATABASE_URL', key: 'uri' }],
};
const host = 'shop.example';
const asksForHost: Partial<AppSpec> = { networking: { host, tls: false } };

const putOrders = (world: World, status: 'True' | 'False') =>
  void world.cluster.put(databases, {
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
const putFirst = ({ cluster }: World, itsHost: string) =>
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
    { prepare: (world) => putReadyProject(world, 'False') },
    (world) => putReadyProject(world, 'True'),
  ],
  [
    'SVC-004 SVC-029',
    'project "shop" cluster "local" is not ready',
    { prepare: (world) => putCluster(world, 'local', 'False') },
    (world) => putCluster(world),
  ],
  [
    'SVC-004 SVC-036',
    'database "orders" is not ready',
    { spec: readsOrders, prepare: (world) => putOrders(world, 'False') },
    (world) => putOrders(world, 'True'),
  ],
  [
    'SVC-004 SVC-043b',
    `The host ${host} belongs to another service`,
    { spec: asksForHost, prepare: (world) => putFirst(world, host) },
    (world) => putFirst(world, 'other.example'),
  ],
  ['SVC-004 SVC-043', 'Service is starting', {}, (world) => kubelet(world, 'runs')],
];

for (const [ids, message, given, comes] of waits)
  spec(`${ids} a service has no timer while "${message}", and is woken when that ends`, () =>
    living(given, async (live) => {
      if (message.startsWith('The host')) await running(live);
      if (message === 'Service is starting') await live.edit((world) => kubelet(world, 'starts'));
      await live.pass(60);
      assert.is(live.message(), message);
      assert.not(live.hasTimer());
      await live.edit(comes);
      assert.is.not(live.message(), message);
    }),
  );

spec('SVC-004b a service has a timer while the API takes nothing of it, for no event tells when it does', () => {
  let isAway = true;
  const through = (cluster: ClusterShape): ClusterShape => ({
    ...cluster,
    apply: (...given) =>
      isAway ? Effect.fail(new Unavailable({ why: 'it does not answer' })) : cluster.apply(...given),
  });
  return living({ through }, async (live) => {
    await live.pass(60);
    assert.is(live.message(), 'it does not answer');
    assert.ok(live.hasTimer());
    isAway = false;
    await live.pass(60);
    assert.ok(live.message().startsWith('Starting service'), live.message());
  });
});

spec.run();
