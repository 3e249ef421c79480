import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { DeploymentSeen } from '../../../rules/pods.ts';
import { interceptorRoutes, type ScaledObject, scaledObjects } from '../../../runtime/controllers/app/resources.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { definitionOf } from '../../../runtime/resources.ts';
import type { Resource } from '../../../runtime/services/cluster.ts';
import type { World } from '../world.ts';
import { kedaDefinitions } from './definitions.ts';

const finalizer = 'finalizer.keda.sh';
const definitions = definitionOf('');
const proxy = 'keda-add-ons-http-interceptor-proxy.core-serverless.svc.cluster.local';

interface Scaler extends ScaledObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicaCount?: number;
    readonly cooldownPeriod?: number;
    readonly initialCooldownPeriod?: number;
    readonly triggers: readonly { readonly metadata: { readonly interceptorRoute?: string } }[];
  };
  readonly status?: NonNullable<ScaledObject['status']> & { readonly lastActiveTime?: string };
}

interface Route extends KubeObject {
  readonly spec: {
    readonly target: { readonly service: string };
    readonly rules?: readonly { readonly hosts?: readonly string[] }[];
  };
}

interface Ingress extends KubeObject {
  readonly spec: {
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly { readonly backend: { readonly service: { readonly name: string } } }[];
      };
    }[];
  };
}

/** Serves the kinds of KEDA from now on. */
export function installKeda({ cluster }: World): void {
  const conditions = [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '' }];
  for (const definition of kedaDefinitions)
    cluster.put(definitions, { ...definition, status: { conditions } } as KubeObject);
}

/** Takes the kinds of KEDA away, with every object of them; the copies stay as they were. */
export function uninstallKeda({ cluster }: World): void {
  for (const resource of [scaledObjects, interceptorRoutes] as readonly Resource[])
    for (const object of cluster.all(resource)) {
      cluster.put(resource, { ...object, metadata: { ...object.metadata, finalizers: [] } });
      cluster.drop(resource, object.metadata.name, object.metadata.namespace);
    }
  for (const { metadata } of kedaDefinitions) cluster.drop(definitions, metadata.name);
}

const named = <O extends KubeObject>({ cluster }: World, resource: Resource<O>, { name, namespace }: Place) =>
  cluster.all(resource).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);

interface Place {
  readonly name: string;
  readonly namespace: string;
}

/** Writes as the manager of KEDA. */
const patched = ({ cluster }: World, resource: Resource, { metadata }: KubeObject, patch: object) =>
  Effect.runSync(cluster.patch(resource, metadata, patch));

const ready = { type: 'Ready', status: 'True', reason: 'ScaledObjectReady', message: '' };

/** KEDA makes an autoscaler for the copies beyond the first, with labels and annotations of the object it is for. */
function autoscale({ cluster }: World, { metadata, spec }: Scaler): void {
  const { name, namespace = '', uid = '', labels = {}, annotations = {} } = metadata;
  cluster.put(owned.autoscalers, {
    metadata: {
      name: `keda-hpa-${name}`,
      namespace,
      labels,
      annotations,
      ownerReferences: [{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name, uid, controller: true }],
    },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: spec.scaleTargetRef.name },
      maxReplicas: 1,
    },
  } as KubeObject);
}

const secondsOf = (ms: number, since: string | undefined) => (ms - Date.parse(since ?? '')) / 1_000;

/** Whether it has been idle for as long as its object says. */
function isIdle({ metadata, spec, status }: Scaler, now: number): boolean {
  if (status?.lastActiveTime !== undefined) return secondsOf(now, status.lastActiveTime) > (spec.cooldownPeriod ?? 300);
  return secondsOf(now, metadata.creationTimestamp) > (spec.initialCooldownPeriod ?? 0);
}

function scaleOne(world: World, scaler: Scaler, { now, isAsked }: { readonly now: number; readonly isAsked: boolean }) {
  const { namespace = '' } = scaler.metadata;
  const target = { name: scaler.spec.scaleTargetRef.name, namespace };
  const deployment = named<DeploymentSeen>(world, owned.deployments, target);
  if (!deployment) return null;
  const copies = deployment.spec?.replicas ?? 1;
  if (isAsked) {
    const lastActiveTime = new Date(now).toISOString();
    Effect.runSync(world.cluster.patchStatus(scaledObjects, scaler.metadata, { lastActiveTime }));
    return copies === 0
      ? (patched(world, owned.deployments, deployment, { spec: { replicas: 1 } }), 'it is woken')
      : null;
  }
  if (copies === 0 || !isIdle(scaler, now)) return null;
  patched(world, owned.deployments, deployment, { spec: { replicas: scaler.spec.minReplicaCount ?? 0 } });
  return 'it is stopped';
}

/** The route by which the wake proxy takes requests for a host. */
const routeOf = ({ cluster }: World, host: string): Route | undefined =>
  cluster
    .all(interceptorRoutes as Resource<Route>)
    .find(({ spec }) => spec.rules?.some(({ hosts }) => hosts?.includes(host) === true));

/** The Service that an Ingress leads the visitors of a host to. */
function ledTo(world: World, host: string): KubeObject | undefined {
  for (const { metadata, spec } of world.cluster.all(owned.ingresses as Resource<Ingress>)) {
    const name = spec.rules.find((rule) => rule.host === host)?.http.paths[0]?.backend.service.name;
    if (name !== undefined) return named(world, owned.services, { name, namespace: metadata.namespace ?? '' });
  }
  return undefined;
}

const isProxy = (service: KubeObject | undefined): boolean =>
  (service as { readonly spec?: { readonly externalName?: string } } | undefined)?.spec?.externalName === proxy;

const copiesOf = (world: World, place: Place): number =>
  named<DeploymentSeen>(world, owned.deployments, place)?.status?.availableReplicas ?? 0;

/** Whether the add-on, asked for a host, starts a copy or waits for one that starts. */
function isHeld(world: World, host: string): boolean {
  const route = routeOf(world, host);
  if (!route) return false;
  const { namespace = '' } = route.metadata;
  const wakes = world.cluster
    .all(scaledObjects as Resource<Scaler>)
    .some(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        metadata.deletionTimestamp === undefined &&
        spec.triggers.some(({ metadata: { interceptorRoute } }) => interceptorRoute === route.metadata.name),
    );
  const wanted = named<DeploymentSeen>(world, owned.deployments, { name: route.spec.target.service, namespace });
  return wakes || (wanted?.spec?.replicas ?? 1) > 0;
}

/** Where a request for a public host ends: at a copy, at the add-on until there is one, or nowhere. */
export function requestEnds(world: World, host: string): 'answered' | 'held' | 'lost' {
  const service = ledTo(world, host);
  if (!service) return 'lost';
  const { name, namespace = '' } = service.metadata;
  if (!isProxy(service)) return copiesOf(world, { name, namespace }) > 0 ? 'answered' : 'lost';
  const route = routeOf(world, host);
  if (route && copiesOf(world, { name: route.spec.target.service, namespace }) > 0) return 'answered';
  return isHeld(world, host) ? 'held' : 'lost';
}

/** What is wrong in the order of the objects: the add-on stops a service whose visitors it does not see. */
export function blindScalers(world: World, host: string): readonly string[] {
  const counts = world.cluster.all(scaledObjects).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (counts.length === 0) return [];
  return [
    ...(isProxy(ledTo(world, host)) ? [] : ['the copies are counted and visitors go past the proxy']),
    ...(routeOf(world, host) ? [] : ['the copies are counted and the proxy does not know the host']),
  ];
}

/** What KEDA does when it looks: it takes up and lets go of objects, and scales. Says what it did; null for nothing. */
export function kedaLooks(world: World, now: number, asked: readonly string[] = []): string | null {
  let did: string | null = null;
  for (const scaler of world.cluster.all(scaledObjects as Resource<Scaler>)) {
    const { metadata, status } = scaler;
    const { finalizers = [] } = metadata as { readonly finalizers?: readonly string[] };
    if (metadata.deletionTimestamp !== undefined) {
      if (finalizers.includes(finalizer)) {
        patched(world, scaledObjects, scaler, {
          metadata: { finalizers: finalizers.filter((one) => one !== finalizer) },
        });
        did = 'it lets go';
      }
      continue;
    }
    if (!finalizers.includes(finalizer)) {
      patched(world, scaledObjects, scaler, { metadata: { finalizers: [...finalizers, finalizer] } });
      Effect.runSync(world.cluster.patchStatus(scaledObjects, metadata, { ...status, conditions: [ready] }));
      autoscale(world, scaler);
      did = 'it takes up';
      continue;
    }
    const isAsked = asked.some((host) => isProxy(ledTo(world, host)) && routeOf(world, host) !== undefined);
    did = scaleOne(world, scaler, { now, isAsked }) ?? did;
  }
  return did;
}
