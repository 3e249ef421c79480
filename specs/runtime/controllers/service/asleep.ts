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
import type { World } from '../../../support/world.ts';
import { withSession, type ServiceSession } from './session.ts';

export const host = 'hello.example';
export const idleSeconds = 30;
export const sleepy: Partial<AppSpec> = {
  networking: { host },
  scaleToZero: { enabled: true, idleSeconds, maxReplicas: 3 },
};

/** The cluster with its add-on on or off. */
export function putAddon({ cluster }: World, serverless: boolean): void {
  const [found] = cluster.all(clusters);
  cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: found?.metadata ?? inSystem('local'),
    spec: { ...found?.spec, addons: { serverless } },
    ...(found?.status ? { status: found.status } : {}),
  });
}

/** A cluster whose add-on is on and installed. */
export function withAddon(world: World): void {
  putAddon(world, true);
  installKeda(world);
}

export const wakeService = (world: World) =>
  world.cluster.all(owned.services).find(({ metadata }) => metadata.name.startsWith('hello-wake-'));

/** The objects of sleeping that stand, in the order of their creation when it goes on. */
export const sleepObjects = (world: World): readonly string[] => [
  ...(pieceIn(world, interceptorRoutes, serviceName) ? ['InterceptorRoute'] : []),
  ...(wakeService(world) ? ['Service'] : []),
  ...(JSON.stringify(pieceIn(world, owned.ingresses, serviceName) ?? {}).includes('hello-wake-') ? ['Ingress'] : []),
  ...(pieceIn(world, scaledObjects, serviceName) ? ['ScaledObject'] : []),
];

const isBehind = (world: World): boolean => {
  const deployment = deploymentIn(world);
  const { observedGeneration = 0 } = (deployment?.status ?? {}) as { readonly observedGeneration?: number };
  return deployment !== undefined && observedGeneration !== (deployment.metadata.generation ?? 0);
};

const kedas = new WeakMap<World, Keda>();

/** The KEDA of a world. */
export function kedaOf(world: World): Keda {
  const keda = kedas.get(world) ?? kedaOver(world);
  kedas.set(world, keda);
  return keda;
}

/** Some seconds of the cluster: its pods follow a second later, and KEDA looks every second. */
export async function goOn(session: ServiceSession, seconds: number, asked: readonly string[] = []): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await session.pass(1);
    if (isBehind(session.world)) kubelet(session.world, 'runs');
    kedaOf(session.world).looks(session.time.wall(), asked);
  }
}

/** Holds after every change: no request is lost once one was not, and nothing blind counts the copies. */
export function watched(session: ServiceSession): { readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  let wasUp = requestEnds(session.world, host) !== 'lost';
  session.world.cluster.onChange((changed) => {
    const ends = requestEnds(session.world, host);
    wasUp ||= ends !== 'lost';
    const of = `${changed.kind} ${changed.metadata.name}`;
    if (wasUp && ends === 'lost') wrong.push(`after ${of} a request is lost`);
    wrong.push(...blindScalers(session.world, host).map((says) => `after ${of} ${says}`));
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

export const put = (spec: Partial<AppSpec>) => (world: World) => putService(world, spec);
