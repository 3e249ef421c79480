import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../crds/kind.ts';
import { interceptorRoutes, scaledObjects } from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { dyingAfter } from '../../../support/dying.ts';
import { installKeda, requestEnds, retireKeda, uninstallKeda } from '../../../support/keda/fake.ts';
import { pieceIn } from '../../../support/project.ts';
import { deploymentIn, kubelet, putService, serviceName, standing } from '../../../support/service.ts';
import { isWhole, seed } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';
import {
  goOn,
  host,
  idleSeconds,
  kedaOf,
  put,
  putAddon,
  sleeping,
  sleepObjects,
  sleepy,
  wakeService,
  watched,
  withAddon,
} from './asleep.ts';
import { deploy, living, type LiveService, running } from './live.ts';

const spec = suite('a service that sleeps while nobody asks for it');

const said = (live: LiveService) => live.app().status?.scaleToZero ?? null;
const all = ['InterceptorRoute', 'Service', 'Ingress', 'ScaledObject'];
const specOf = (object: KubeObject | undefined) => (object as { readonly spec?: object } | undefined)?.spec;

spec('within ten seconds of a save the cluster says that it may sleep', () =>
  living({ spec: { networking: { host }, replicas: 2 }, prepare: withAddon }, async (live) => {
    await running(live);
    const { wrong } = watched(live);
    assert.equal([said(live), sleepObjects(live.world)], [null, []]);
    await live.edit(put({ scaleToZero: { enabled: true, idleSeconds } }));
    await goOn(live, 8);
    assert.equal(said(live), { active: true });
    assert.equal(sleepObjects(live.world), all);
    assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Ready', 2]);
    assert.equal(wrong, []);
  }),
);

spec('PLC-042 its visitors come by the wake proxy, which knows its host, and the add-on counts its copies', () =>
  living({ spec: sleepy, prepare: withAddon }, async (live) => {
    await goOn(live, 10);
    const proxy = wakeService(live.world);
    const hosts = [host, `${proxy?.metadata.name}.shop-production.svc`];
    assert.equal(specOf(pieceIn(live.world, interceptorRoutes, serviceName)), {
      target: { service: 'hello', port: 80 },
      rules: [{ hosts }],
      scalingMetric: { concurrency: { targetValue: 100 } },
    });
    assert.equal(
      { ...specOf(proxy), sessionAffinity: undefined },
      {
        sessionAffinity: undefined,
        type: 'ExternalName',
        externalName: 'keda-add-ons-http-interceptor-proxy.core-serverless.svc.cluster.local',
        ports: [{ name: 'http', port: 8080, protocol: 'TCP', targetPort: 8080 }],
      },
    );
    assert.equal(specOf(pieceIn(live.world, scaledObjects, serviceName)), {
      scaleTargetRef: { name: 'hello' },
      minReplicaCount: 0,
      maxReplicaCount: 3,
      cooldownPeriod: idleSeconds,
      initialCooldownPeriod: idleSeconds,
      triggers: [
        {
          type: 'external-push',
          metadata: {
            scalerAddress: 'keda-add-ons-http-external-scaler.core-serverless:9090',
            interceptorRoute: 'hello',
          },
        },
      ],
    });
  }),
);

spec('CLI-198 it is stopped when nobody asked for it for its time, and the next request wakes it', () =>
  living({ spec: sleepy, prepare: withAddon }, async (live) => {
    const { wrong } = watched(live);
    await goOn(live, 2 * idleSeconds, [host]);
    assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Ready', 1], 'somebody asks');
    await goOn(live, 2 * idleSeconds);
    assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Asleep', 0]);
    assert.equal([live.ready(), live.message()], ['True ServiceAsleep', 'Service is asleep']);
    assert.is(requestEnds(live.world, host), 'held');
    await goOn(live, 10, [host]);
    assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Ready', 1]);
    assert.equal(live.moves('service').slice(-3), [
      'Ready fellAsleep Asleep',
      'Asleep woken Provisioning',
      'Provisioning provisioned Ready',
    ]);
    assert.equal(wrong, []);
  }),
);

spec('asleep nothing is written and no pass follows another, and nobody fights over the copies', () =>
  sleeping(async (live) => {
    await live.pass(60);
    const before = live.world.cluster.everything().map(({ metadata }) => metadata.resourceVersion);
    const passes = live.world.metrics.passes();
    await live.pass(3_000);
    assert.equal(
      live.world.cluster.everything().map(({ metadata }) => metadata.resourceVersion),
      before,
    );
    assert.ok(live.world.metrics.passes() - passes <= 2, 'it rests');
    assert.ok(pieceIn(live.world, owned.autoscalers, 'keda-hpa-hello'), "KEDA's own autoscaler is left alone");
  }),
);

const reasons: readonly (readonly [string, (world: World) => void, string | null])[] = [
  ['a service that is switched off', put({ scaleToZero: { enabled: false } }), null],
  [
    'CLI-199 CLI-203 a service that loses the add-on in the settings',
    (world) => putAddon(world, false),
    'the serverless add-on is off in the cluster settings',
  ],
  ['CLI-200 CLI-203 a service that loses its host', put({ networking: {} }), 'the service has no public host'],
  [
    'CLI-201 CLI-203 a service that is autoscaled',
    put({ autoscaling: { enabled: true, min: 1, max: 3 } }),
    'CPU autoscaling is on',
  ],
  [
    'CLI-203 a service that loses the add-on itself',
    uninstallKeda,
    'the serverless add-on is switched on, not there yet',
  ],
  [
    'CLI-203 a service that loses the definitions while KEDA holds on to its objects',
    retireKeda,
    'the serverless add-on is switched on, not there yet',
  ],
];

for (const [what, does, message] of reasons)
  spec(`${what} while it sleeps runs again, says why, and has nothing of the add-on`, () =>
    sleeping(async (live) => {
      const { wrong } = watched(live);
      await live.edit(does);
      // Where the add-on is gone nobody holds requests, and where the host is gone there are none.
      const isReached = ![uninstallKeda, reasons[2]?.[1]].includes(does);
      await goOn(live, 40);
      assert.equal(said(live), message === null ? null : { active: false, message });
      assert.equal(sleepObjects(live.world), []);
      assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Ready', 1]);
      if (isReached) assert.equal(wrong, []);
      assert.is(requestEnds(live.world, host), live.app().spec.networking?.host === host ? 'answered' : 'lost');
      if (message !== null) assert.equal(live.app().spec.scaleToZero, sleepy.scaleToZero, 'what was saved stays saved');
    }),
  );

spec('on the way back visitors stay with the proxy until a copy answers', () =>
  sleeping(async (live) => {
    await live.edit(put({ scaleToZero: { enabled: false } }));
    for (let second = 0; second < 40; second++) {
      await live.pass(1);
      kedaOf(live.world).looks(live.time.wall());
    }
    assert.is(deploymentIn(live.world)?.spec.replicas, 1);
    assert.equal(sleepObjects(live.world), ['InterceptorRoute', 'Service', 'Ingress']);
    await running(live);
    await live.pass(5);
    assert.equal(sleepObjects(live.world), []);
    assert.is(live.phase(), 'Ready');
  }),
);

spec('an object that KEDA does not let go holds nothing up', () =>
  sleeping(async (live) => {
    await live.edit(put({ scaleToZero: { enabled: false } }));
    await live.pass(2);
    await running(live);
    await live.pass(5);
    assert.is(live.ready(), 'True ServiceReady');
    assert.equal(sleepObjects(live.world), ['ScaledObject']);
    assert.ok(pieceIn(live.world, scaledObjects, serviceName)?.metadata.deletionTimestamp);
    assert.is(requestEnds(live.world, host), 'answered');
  }),
);

spec('a service under another host is asked for by either until visitors come by the new one', () =>
  sleeping(async (live) => {
    const hosts: unknown[] = [];
    live.world.cluster.onChange((changed) => {
      if (changed.kind === 'InterceptorRoute') hosts.push(JSON.stringify(specOf(changed)).match(/[a-z]+\.example/g));
    });
    await live.edit(put({ networking: { host: 'other.example' } }));
    await goOn(live, 10);
    assert.equal(hosts, [['other.example', 'hello.example'], ['other.example']]);
    assert.is(requestEnds(live.world, 'other.example'), 'held');
    assert.is(live.phase(), 'Asleep');
  }),
);

spec('what somebody deletes of it comes back, and the service can be woken meanwhile', () =>
  sleeping(async (live) => {
    for (const [resource, name] of [
      [interceptorRoutes, serviceName],
      [owned.services, wakeService(live.world)?.metadata.name ?? ''],
      [owned.ingresses, serviceName],
      [scaledObjects, serviceName],
      [owned.deployments, serviceName],
    ] as const) {
      await live.remove(resource, name, 'shop-production');
      await goOn(live, 3 * idleSeconds);
      assert.equal([resource.kind, ...sleepObjects(live.world)], [resource.kind, ...all]);
      assert.is(live.phase(), 'Asleep', resource.kind);
    }
  }),
);

spec('a deploy of a service that sleeps reaches its pods when it is woken', () =>
  sleeping(
    async (live) => {
      await live.edit((world) => putService(world, { source: { image: 'nginx:1.28' } }));
      await goOn(live, 10);
      assert.equal([live.phase(), deploymentIn(live.world)?.spec.replicas], ['Asleep', 0]);
      assert.is(deploymentIn(live.world)?.spec.template.spec.containers[0]?.image, 'nginx:1.28');
      assert.is(await deploy(live, 'r2'), null);
      await goOn(live, 10, [host]);
      assert.equal([live.phase(), live.ready()], ['Ready', 'True ServiceReady']);
    },
    { source: { image: 'nginx:1.27' } },
  ),
);

spec('deleted while it sleeps it goes with everything of it', () =>
  sleeping(async (live) => {
    await live.remove();
    await goOn(live, 60);
    assert.is(live.found(), undefined);
    assert.equal([...standing(live.world), ...sleepObjects(live.world)], []);
  }),
);

spec('a service that is deleted after the add-on was uninstalled goes all the same', () =>
  living({ spec: sleepy, prepare: withAddon }, async (live) => {
    await goOn(live, 10);
    await live.edit(uninstallKeda);
    await live.remove();
    await live.pass(120);
    assert.is(live.found(), undefined);
  }),
);

spec('an add-on that is installed later is found, and until then the service runs', () =>
  living({ spec: sleepy, prepare: (world) => putAddon(world, true) }, async (live) => {
    await running(live);
    assert.equal(said(live), {
      active: false,
      message: 'the serverless add-on is switched on, not there yet',
    });
    assert.is(live.ready(), 'True ServiceReady');
    await live.edit(installKeda);
    await goOn(live, 60);
    assert.equal([said(live), sleepObjects(live.world)], [{ active: true }, all]);
    await goOn(live, 2 * idleSeconds);
    assert.is(live.phase(), 'Asleep');
  }),
);

/** The suite dies at a share of the writes. */
const step = isWhole ? 1 : 6;

spec('killed between any two writes, it comes to sleep and back, and no request is lost', async () => {
  for (const [from, to] of [
    [false, true],
    [true, false],
  ] as const)
    for (let writes = isWhole ? 0 : seed % step, died = true; died; writes += step) {
      assert.ok(writes < 40);
      const given = { ...sleepy, scaleToZero: { ...sleepy.scaleToZero, enabled: from } };
      await living({ spec: given, prepare: withAddon }, async (live) => {
        await goOn(live, 2 * idleSeconds + 20);
        const { wrong } = watched(live);
        const dying = dyingAfter(writes);
        await live.crash(dying.over);
        await live.edit(put({ scaleToZero: { ...given.scaleToZero, enabled: to } }));
        for (let second = 0; second < 30; second++) {
          await live.pass(1);
          kubelet(live.world, 'runs');
          kedaOf(live.world).looks(live.time.wall());
        }
        await live.crash((cluster) => cluster);
        await goOn(live, 2 * idleSeconds + 20);
        assert.is(live.phase(), to ? 'Asleep' : 'Ready', `${writes}`);
        assert.equal(sleepObjects(live.world), to ? all : [], `${writes}`);
        assert.equal(wrong, [], `${writes}`);
        died = dying.isDead();
      });
    }
});

spec.run();
