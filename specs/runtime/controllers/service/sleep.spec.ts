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
import type { TestEnvironment } from '../../../support/environment.ts';
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
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('a service that sleeps without requests');

const said = (session: ServiceSession) => session.app().status?.scaleToZero ?? null;
const all = ['InterceptorRoute', 'Service', 'Ingress', 'ScaledObject'];
const specOf = (object: KubeObject | undefined) => (object as { readonly spec?: object } | undefined)?.spec;

spec('the cluster shows permission to sleep within ten seconds of a save', () =>
  withSession({ spec: { networking: { host }, replicas: 2 }, prepare: withAddon }, async (session) => {
    await running(session);
    const { wrong } = watched(session);
    assert.equal([said(session), sleepObjects(session.environment)], [null, []]);
    await session.edit(put({ scaleToZero: { enabled: true, idleSeconds } }));
    await goOn(session, 8);
    assert.equal(said(session), { active: true });
    assert.equal(sleepObjects(session.environment), all);
    assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Ready', 2]);
    assert.equal(wrong, []);
  }),
);

spec('PLC-042 visitors reach a sleeping service through the wake proxy, which counts requests for its host', () =>
  withSession({ spec: sleepy, prepare: withAddon }, async (session) => {
    await goOn(session, 10);
    const proxy = wakeService(session.environment);
    const hosts = [host, `${proxy?.metadata.name}.shop-production.svc`];
    assert.equal(specOf(pieceIn(session.environment, interceptorRoutes, serviceName)), {
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
    assert.equal(specOf(pieceIn(session.environment, scaledObjects, serviceName)), {
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

spec(
  'CLI-198 a service sleeps when its idle time passes without a request, and the next request wakes the service',
  () =>
    withSession({ spec: sleepy, prepare: withAddon }, async (session) => {
      const { wrong } = watched(session);
      await goOn(session, 2 * idleSeconds, [host]);
      assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Ready', 1], 'somebody asks');
      await goOn(session, 2 * idleSeconds);
      assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Asleep', 0]);
      assert.equal([session.ready(), session.message()], ['True ServiceAsleep', 'Service is asleep']);
      assert.is(requestEnds(session.environment, host), 'held');
      await goOn(session, 10, [host]);
      assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Ready', 1]);
      assert.equal(session.moves('service').slice(-3), [
        'Ready fellAsleep Asleep',
        'Asleep woken Provisioning',
        'Provisioning provisioned Ready',
      ]);
      assert.equal(wrong, []);
    }),
);

spec('a sleeping service causes no writes and no repeated passes, and no conflict over replicas', () =>
  sleeping(async (session) => {
    await session.pass(60);
    const before = session.environment.cluster.everything().map(({ metadata }) => metadata.resourceVersion);
    const passes = session.environment.metrics.passes();
    await session.pass(3_000);
    assert.equal(
      session.environment.cluster.everything().map(({ metadata }) => metadata.resourceVersion),
      before,
    );
    assert.ok(session.environment.metrics.passes() - passes <= 2, 'it rests');
    assert.ok(pieceIn(session.environment, owned.autoscalers, 'keda-hpa-hello'), "KEDA's own autoscaler is left alone");
  }),
);

const reasons: readonly (readonly [string, (environment: TestEnvironment) => void, string | null])[] = [
  ['a service that is switched off', put({ scaleToZero: { enabled: false } }), null],
  [
    'CLI-199 CLI-203 a service that loses the add-on in the settings',
    (environment) => putAddon(environment, false),
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
  spec(`a sleeping service runs with a reason and without resources of the add-on when ${what}`, () =>
    sleeping(async (session) => {
      const { wrong } = watched(session);
      await session.edit(does);
      // Where the add-on is gone nobody holds requests, and where the host is gone there are none.
      const isReached = ![uninstallKeda, reasons[2]?.[1]].includes(does);
      await goOn(session, 40);
      assert.equal(said(session), message === null ? null : { active: false, message });
      assert.equal(sleepObjects(session.environment), []);
      assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Ready', 1]);
      if (isReached) assert.equal(wrong, []);
      assert.is(
        requestEnds(session.environment, host),
        session.app().spec.networking?.host === host ? 'answered' : 'lost',
      );
      if (message !== null)
        assert.equal(session.app().spec.scaleToZero, sleepy.scaleToZero, 'what was saved stays saved');
    }),
  );

spec('visitors use the proxy until a copy is ready when scale to zero is disabled', () =>
  sleeping(async (session) => {
    await session.edit(put({ scaleToZero: { enabled: false } }));
    for (let second = 0; second < 40; second++) {
      await session.pass(1);
      kedaOf(session.environment).looks(session.time.wall());
    }
    assert.is(deploymentIn(session.environment)?.spec.replicas, 1);
    assert.equal(sleepObjects(session.environment), ['InterceptorRoute', 'Service', 'Ingress']);
    await running(session);
    await session.pass(5);
    assert.equal(sleepObjects(session.environment), []);
    assert.is(session.phase(), 'Ready');
  }),
);

spec('an object with a finalizer of KEDA blocks nothing', () =>
  sleeping(async (session) => {
    await session.edit(put({ scaleToZero: { enabled: false } }));
    await session.pass(2);
    await running(session);
    await session.pass(5);
    assert.is(session.ready(), 'True ServiceReady');
    assert.equal(sleepObjects(session.environment), ['ScaledObject']);
    assert.ok(pieceIn(session.environment, scaledObjects, serviceName)?.metadata.deletionTimestamp);
    assert.is(requestEnds(session.environment, host), 'answered');
  }),
);

spec('a service that changes its host is woken by both hosts until the Ingress has the new one', () =>
  sleeping(async (session) => {
    const hosts: unknown[] = [];
    session.environment.cluster.onChange((changed) => {
      if (changed.kind === 'InterceptorRoute') hosts.push(JSON.stringify(specOf(changed)).match(/[a-z]+\.example/g));
    });
    await session.edit(put({ networking: { host: 'other.example' } }));
    await goOn(session, 10);
    assert.equal(hosts, [['other.example', 'hello.example'], ['other.example']]);
    assert.is(requestEnds(session.environment, 'other.example'), 'held');
    assert.is(session.phase(), 'Asleep');
  }),
);

spec('deleted resources of a sleeping service are restored, and the service can be woken meanwhile', () =>
  sleeping(async (session) => {
    for (const [resource, name] of [
      [interceptorRoutes, serviceName],
      [owned.services, wakeService(session.environment)?.metadata.name ?? ''],
      [owned.ingresses, serviceName],
      [scaledObjects, serviceName],
      [owned.deployments, serviceName],
    ] as const) {
      await session.remove(resource, name, 'shop-production');
      await goOn(session, 3 * idleSeconds);
      assert.equal([resource.kind, ...sleepObjects(session.environment)], [resource.kind, ...all]);
      assert.is(session.phase(), 'Asleep', resource.kind);
    }
  }),
);

spec('a deploy of a sleeping service reaches its pods when the service wakes', () =>
  sleeping(
    async (session) => {
      await session.edit((environment) => putService(environment, { source: { image: 'nginx:1.28' } }));
      await goOn(session, 10);
      assert.equal([session.phase(), deploymentIn(session.environment)?.spec.replicas], ['Asleep', 0]);
      assert.is(deploymentIn(session.environment)?.spec.template.spec.containers[0]?.image, 'nginx:1.28');
      assert.is(await deploy(session, 'r2'), null);
      await goOn(session, 10, [host]);
      assert.equal([session.phase(), session.ready()], ['Ready', 'True ServiceReady']);
    },
    { source: { image: 'nginx:1.27' } },
  ),
);

spec('a sleeping service is deleted with all its resources', () =>
  sleeping(async (session) => {
    await session.remove();
    await goOn(session, 60);
    assert.is(session.found(), undefined);
    assert.equal([...standing(session.environment), ...sleepObjects(session.environment)], []);
  }),
);

spec('a service can be deleted after the add-on was uninstalled', () =>
  withSession({ spec: sleepy, prepare: withAddon }, async (session) => {
    await goOn(session, 10);
    await session.edit(uninstallKeda);
    await session.remove();
    await session.pass(120);
    assert.is(session.found(), undefined);
  }),
);

spec('a service runs until its add-on is installed, and can sleep afterwards', () =>
  withSession({ spec: sleepy, prepare: (environment) => putAddon(environment, true) }, async (session) => {
    await running(session);
    assert.equal(said(session), {
      active: false,
      message: 'the serverless add-on is switched on, not there yet',
    });
    assert.is(session.ready(), 'True ServiceReady');
    await session.edit(installKeda);
    await goOn(session, 60);
    assert.equal([said(session), sleepObjects(session.environment)], [{ active: true }, all]);
    await goOn(session, 2 * idleSeconds);
    assert.is(session.phase(), 'Asleep');
  }),
);

/** The suite dies at a share of the writes. */
const step = isWhole ? 1 : 6;

spec(
  'a service sleeps and wakes without a lost request when the operator is killed between any two writes',
  async () => {
    for (const [from, to] of [
      [false, true],
      [true, false],
    ] as const)
      for (let writes = isWhole ? 0 : seed % step, died = true; died; writes += step) {
        assert.ok(writes < 40);
        const given = { ...sleepy, scaleToZero: { ...sleepy.scaleToZero, enabled: from } };
        await withSession({ spec: given, prepare: withAddon }, async (session) => {
          await goOn(session, 2 * idleSeconds + 20);
          const { wrong } = watched(session);
          const dying = dyingAfter(writes);
          await session.crash(dying.over);
          await session.edit(put({ scaleToZero: { ...given.scaleToZero, enabled: to } }));
          for (let second = 0; second < 30; second++) {
            await session.pass(1);
            kubelet(session.environment, 'runs');
            kedaOf(session.environment).looks(session.time.wall());
          }
          await session.crash((cluster) => cluster);
          await goOn(session, 2 * idleSeconds + 20);
          assert.is(session.phase(), to ? 'Asleep' : 'Ready', `${writes}`);
          assert.equal(sleepObjects(session.environment), to ? all : [], `${writes}`);
          assert.equal(wrong, [], `${writes}`);
          died = dying.isDead();
        });
      }
  },
);

spec.run();
