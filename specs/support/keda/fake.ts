import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { DeploymentSeen } from '../../../rules/pods.ts';
import { interceptorRoutes, type ScaledObject, scaledObjects } from '../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { definitionOf } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import type { TestEnvironment } from '../environment.ts';
import { kedaDefinitions } from './definitions.ts';

const finalizer = 'finalizer.keda.sh';
const finalizersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata as { readonly finalizers?: readonly string[] }).finalizers ?? [];
const definitions = definitionOf('');
const proxy = 'keda-add-ons-http-interceptor-proxy.core-serverless.svc.cluster.local';

interface Scaler extends ScaledObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly cooldownPeriod?: number;
    readonly initialCooldownPeriod?: number;
  };
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
export function installKeda({ cluster }: TestEnvironment): void {
  const conditions = [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '' }];
  for (const definition of kedaDefinitions)
    cluster.put(definitions, { ...definition, status: { conditions } } as KubeObject);
}

const kindsOf = ({ cluster }: TestEnvironment): readonly KubeObject[] =>
  cluster.all(definitions).filter(({ metadata }) => metadata.name.endsWith('keda.sh'));

/** Whether the kinds of KEDA are served, and are to stay so. */
export const isInstalled = (environment: TestEnvironment): boolean =>
  kindsOf(environment).length > 0 &&
  kindsOf(environment).every(({ metadata }) => metadata.deletionTimestamp === undefined);

/** Somebody deletes the kinds of KEDA: they are served until their objects are gone. */
export function retireKeda(environment: TestEnvironment): void {
  const deletionTimestamp = new Date(environment.now()).toISOString();
  for (const definition of kindsOf(environment)) {
    const metadata = { ...definition.metadata, deletionTimestamp, finalizers: ['customresourcecleanup'] };
    environment.cluster.put(definitions, { ...definition, metadata });
  }
}

/** Takes the kinds of KEDA away, with every object of them; the copies stay as they were. */
export function uninstallKeda(environment: TestEnvironment): void {
  const { cluster } = environment;
  retireKeda(environment);
  const end = (resource: Resource, object: KubeObject) => {
    const { name, namespace } = object.metadata;
    cluster.put(resource, { ...object, metadata: { ...object.metadata, finalizers: [] } });
    cluster.drop(resource, name, namespace);
  };
  for (const resource of [scaledObjects, interceptorRoutes] as readonly Resource[])
    for (const object of cluster.all(resource)) end(resource, object);
  for (const definition of kindsOf(environment)) end(definitions, definition);
}

const named = <O extends KubeObject>({ cluster }: TestEnvironment, resource: Resource<O>, { name, namespace }: Place) =>
  cluster.all(resource).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);

interface Place {
  readonly name: string;
  readonly namespace: string;
}

/** Writes as the manager of KEDA. */
const patched = ({ cluster }: TestEnvironment, resource: Resource, { metadata }: KubeObject, patch: object) =>
  Effect.runSync(cluster.patch(resource, metadata, patch));

const ready = { type: 'Ready', status: 'True', reason: 'ScaledObjectReady', message: '' };

/** KEDA makes an autoscaler for the copies beyond the first, with labels and annotations of the object it is for. */
function autoscale({ cluster }: TestEnvironment, { metadata, spec }: Scaler): void {
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

/** The route by which the wake proxy takes requests for a host. */
const routeOf = ({ cluster }: TestEnvironment, host: string): Route | undefined =>
  cluster
    .all(interceptorRoutes as Resource<Route>)
    .find(({ spec }) => spec.rules?.some(({ hosts }) => hosts?.includes(host) === true));

/** The Service that an Ingress leads the visitors of a host to. */
function ledTo(environment: TestEnvironment, host: string): KubeObject | undefined {
  for (const { metadata, spec } of environment.cluster.all(owned.ingresses as Resource<Ingress>)) {
    const name = spec.rules.find((rule) => rule.host === host)?.http.paths[0]?.backend.service.name;
    if (name !== undefined) return named(environment, owned.services, { name, namespace: metadata.namespace ?? '' });
  }
  return undefined;
}

const isProxy = (service: KubeObject | undefined): boolean =>
  (service as { readonly spec?: { readonly externalName?: string } } | undefined)?.spec?.externalName === proxy;

const copiesOf = (environment: TestEnvironment, place: Place): number =>
  named<DeploymentSeen>(environment, owned.deployments, place)?.status?.availableReplicas ?? 0;

/** Where a request for a public host ends: at a copy, at the proxy until there is one, or nowhere. */
export function requestEnds(environment: TestEnvironment, host: string): 'answered' | 'held' | 'lost' {
  const service = ledTo(environment, host);
  if (!service) return 'lost';
  const { name, namespace = '' } = service.metadata;
  if (!isProxy(service)) return copiesOf(environment, { name, namespace }) > 0 ? 'answered' : 'lost';
  const route = routeOf(environment, host);
  if (!route) return 'lost';
  return copiesOf(environment, { name: route.spec.target.service, namespace }) > 0 ? 'answered' : 'held';
}

/** What is wrong in the order of the objects: the add-on stops a service whose visitors it does not see. */
export function blindScalers(environment: TestEnvironment, host: string): readonly string[] {
  const counts = environment.cluster
    .all(scaledObjects)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (counts.length === 0) return [];
  return [
    ...(isProxy(ledTo(environment, host)) ? [] : ['the copies are counted and visitors go past the proxy']),
    ...(routeOf(environment, host) ? [] : ['the copies are counted and the proxy does not know the host']),
  ];
}

/** KEDA over a cluster: it takes up and lets go of its objects, and starts and stops copies. */
export interface Keda {
  /** Does what is due, while these hosts are asked for; says what it did, null for nothing. */
  readonly looks: (now: number, asked?: readonly string[]) => string | null;
  /** When something is due next, as of its last look; Infinity for never. */
  readonly nextAt: () => number;
}

const lateMs = 1_000;

export function kedaOver(environment: TestEnvironment): Keda {
  /** When a request was last seen for an object, or the object itself. */
  const activeAt = new Map<string, number>();
  /** The objects for which a request was ever seen. */
  const asked = new Set<string>();
  let next = Infinity;
  const soon = (now: number, uid: string): boolean => {
    const since = activeAt.get(uid) ?? now;
    activeAt.set(uid, since);
    next = Math.min(next, since + lateMs);
    return now >= since + lateMs;
  };

  const takeUp = (scaler: Scaler) => {
    const finalizers = [...finalizersOf(scaler), finalizer];
    patched(environment, scaledObjects, scaler, { metadata: { finalizers } });
    Effect.runSync(environment.cluster.patchStatus(scaledObjects, scaler.metadata, { conditions: [ready] }));
    autoscale(environment, scaler);
    return 'KEDA takes it up';
  };
  const letGo = (scaler: Scaler) => {
    const finalizers = finalizersOf(scaler).filter((one) => one !== finalizer);
    patched(environment, scaledObjects, scaler, { metadata: { finalizers } });
    return 'KEDA lets go';
  };
  /** An object that was never asked for waits for its first cooldown, which may be none. */
  const idleAt = ({ metadata: { uid = '' }, spec }: Scaler, now: number): number => {
    const { initialCooldownPeriod = 0, cooldownPeriod = 300 } = spec;
    return (activeAt.get(uid) ?? now) + 1_000 * (asked.has(uid) ? cooldownPeriod : initialCooldownPeriod);
  };
  const scale = (scaler: Scaler, now: number, isAsked: boolean): string | null => {
    const { namespace = '', uid = '' } = scaler.metadata;
    const target = { name: scaler.spec.scaleTargetRef.name, namespace };
    const deployment = named<DeploymentSeen>(environment, owned.deployments, target);
    if (isAsked) {
      activeAt.set(uid, now);
      asked.add(uid);
    }
    const copies = deployment?.spec?.replicas ?? 1;
    if (!deployment || copies > 0 === isAsked) return null;
    const stopsAt = idleAt(scaler, now);
    if (!isAsked && now < stopsAt) {
      next = Math.min(next, stopsAt);
      return null;
    }
    patched(environment, owned.deployments, deployment, { spec: { replicas: isAsked ? 1 : 0 } });
    return isAsked ? 'KEDA wakes it' : 'KEDA stops it';
  };

  const look = (scaler: Scaler, now: number, hosts: readonly string[]): string | null => {
    const { uid = '', deletionTimestamp } = scaler.metadata;
    const isTakenUp = finalizersOf(scaler).includes(finalizer);
    if (deletionTimestamp !== undefined) {
      if (!isTakenUp) return null;
      activeAt.delete(uid);
      return letGo(scaler);
    }
    if (!isTakenUp) return soon(now, uid) ? takeUp(scaler) : null;
    const isAsked = hosts.some((host) => isProxy(ledTo(environment, host)) && routeOf(environment, host) !== undefined);
    return scale(scaler, now, isAsked);
  };
  return {
    looks: (now, hosts = []) => {
      next = Infinity;
      return environment.cluster
        .all(scaledObjects as Resource<Scaler>)
        .reduce<string | null>((did, scaler) => look(scaler, now, hosts) ?? did, null);
    },
    nextAt: () => next,
  };
}
