import * as assert from 'uvu/assert';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import { coreCluster } from '../../../../crds/coreCluster.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { interceptorRoutes, scaledObjects } from '../../../../runtime/owned/addonKinds.ts';
import { clusters } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { blindScalers, installKeda, type Keda, kedaOver, requestEnds } from '../../../support/keda/fake.ts';
import { inSystem, pieceIn } from '../../../support/project.ts';
import { deploymentIn, kubelet, putService, serviceName } from '../../../support/service.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { withSession, type ServiceSession } from './session.ts';

export const host = 'hello.example';
export const idleSeconds = 30;
export const sleepy: Partial<AppSpec> = {
  networking: { host },
  scaleToZero: { enabled: true, idleSeconds, maxReplicas: 3 },
};

/** The cluster with its add-on on or off. */
export function putAddon({ cluster }: TestEnvironment, serverless: boolean): void {
  const [found] = cluster.all(clusters);
  cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: found?.metadata ?? inSystem('local'),
    spec: { ...found?.spec, addons: { serverless } },
    ...(found?.status ? { status: found.status } : {}),
  });
}

/** A cluster whose add-on is on and installed. */
export function withAddon(environment: TestEnvironment): void {
  putAddon(environment, true);
  installKeda(environment);
}

export const wakeService = (environment: TestEnvironment) =>
  environment.cluster.all(owned.services).find(({ metadata }) => metadata.name.startsWith('hello-wake-'));

/** The objects of sleeping that stand, in the order of their creation when it goes on. */
export const sleepObjects = (environment: TestEnvironment): readonly string[] => [
  ...(pieceIn(environment, interceptorRoutes, serviceName) ? ['InterceptorRoute'] : []),
  ...(wakeService(environment) ? ['Service'] : []),
  ...(JSON.stringify(pieceIn(environment, owned.ingresses, serviceName) ?? {}).includes('hello-wake-')
    ? ['Ingress']
    : []),
  ...(pieceIn(environment, scaledObjects, serviceName) ? ['ScaledObject'] : []),
];

const isBehind = (environment: TestEnvironment): boolean => {
  const deployment = deploymentIn(environment);
  const { observedGeneration = 0 } = (deployment?.status ?? {}) as { readonly observedGeneration?: number };
  return deployment !== undefined && observedGeneration !== (deployment.metadata.generation ?? 0);
};

const kedas = new WeakMap<TestEnvironment, Keda>();

/** The KEDA of an environment. */
export function kedaOf(environment: TestEnvironment): Keda {
  const keda = kedas.get(environment) ?? kedaOver(environment);
  kedas.set(environment, keda);
  return keda;
}

/** Some seconds of the cluster: its pods follow a second later, and KEDA looks every second. */
export async function goOn(session: ServiceSession, seconds: number, asked: readonly string[] = []): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await session.pass(1);
    if (isBehind(session.environment)) kubelet(session.environment, 'runs');
    kedaOf(session.environment).looks(session.time.wall(), asked);
  }
}

/** Holds after every change: no request is lost once one was not, and nothing blind counts the copies. */
export function watched(session: ServiceSession): { readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  let wasUp = requestEnds(session.environment, host) !== 'lost';
  session.environment.cluster.onChange((changed) => {
    const ends = requestEnds(session.environment, host);
    wasUp ||= ends !== 'lost';
    const of = `${changed.kind} ${changed.metadata.name}`;
    if (wasUp && ends === 'lost') wrong.push(`after ${of} a request is lost`);
    wrong.push(...blindScalers(session.environment, host).map((message) => `after ${of} ${message}`));
  });
  return { wrong };
}

/** A service that sleeps. */
export const sleeping = (
  test: (session: ServiceSession) => Promise<void>,
  spec: Partial<AppSpec> = {},
): Promise<void> =>
  withSession({ spec: { ...sleepy, ...spec }, prepare: withAddon }, async (session) => {
    await goOn(session, 3 * idleSeconds);
    assert.is(session.phase(), 'Asleep');
    await test(session);
  });

export const put = (spec: Partial<AppSpec>) => (environment: TestEnvironment) => putService(environment, spec);
