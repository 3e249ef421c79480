import { Effect } from 'effect';
import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { type Condition, conditionOf } from '../../../../rules/condition.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { replicasOf } from '../../../../rules/service/effective.ts';
import { wakeName } from '../../../../rules/service/names.ts';
import { awakeBecause, sleepRefused } from '../../../../rules/service/sleep.ts';
import { neverSleeps, type WakePlan, wakePlan } from '../../../../rules/service/wakePlan.ts';
import { type WakeObjects, wakeState } from '../../../../rules/service/wakeState.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { owned } from '../../../owned/owned.ts';
import { definitionOf } from '../../../services/cluster/resources.ts';
import { Cluster, type ReadError, type Resource } from '../../../services/cluster/cluster.ts';
import { clusterOf } from '../observe/cluster.ts';
import { publicHostOf } from '../observe/host.ts';
import { deploymentOf } from '../observe/pods.ts';
import { interceptorRoutes, scaledObjects } from '../../../owned/addonKinds.ts';
import { find } from '../../../services/cluster/find.ts';

interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The definitions of the add-on's kinds; it is installed while both exist. */
export const wakeDefinitions: readonly Resource<Definition>[] = [
  definitionOf('interceptorroutes.http.keda.sh'),
  definitionOf('scaledobjects.keda.sh'),
];

const isServed = (reader: CacheReader): boolean =>
  wakeDefinitions.every((resource) => {
    const [definition] = reader.list(resource);
    const isTerminating = definition?.metadata.deletionTimestamp !== undefined;
    return !isTerminating && conditionOf(definition, 'Established')?.status === 'True';
  });

const seenOf = (app: CoreApp, spec: AppSpec, reader: CacheReader) => ({
  spec,
  cluster: clusterOf(spec, reader).found,
  isServed: isServed(reader),
  host: publicHostOf(app, spec, reader),
});

/** The host that wakes the service; null when it should stay awake. */
function sleepHost(app: CoreApp, spec: AppSpec, reader: CacheReader): string | null {
  if (spec.scaleToZero?.enabled !== true) return null;
  const seen = seenOf(app, spec, reader);
  return awakeBecause(seen) === null ? seen.host : null;
}

const ofItsName = ({ metadata }: CoreApp) => metadata.name;
const places = {
  route: { resource: interceptorRoutes, nameOf: ofItsName },
  proxy: { resource: owned.services, nameOf: ({ metadata }: CoreApp) => wakeName(metadata.name) },
  ingress: { resource: owned.ingresses, nameOf: ofItsName },
  scaler: { resource: scaledObjects, nameOf: ofItsName },
  autoscaler: { resource: owned.autoscalers, nameOf: ofItsName },
  deployment: { resource: owned.deployments, nameOf: ofItsName },
} as const;
type Part = keyof WakeObjects;
const parts: readonly Part[] = ['route', 'proxy', 'ingress', 'scaler', 'autoscaler', 'deployment'];

const objectsBy = (get: (part: Part) => KubeObject | undefined): WakeObjects => ({
  route: get('route'),
  proxy: get('proxy'),
  ingress: get('ingress'),
  scaler: get('scaler'),
  autoscaler: get('autoscaler'),
  deployment: get('deployment'),
});

const cachedObjects = (app: CoreApp, { project, environment }: AppSpec, reader: CacheReader): WakeObjects =>
  objectsBy((part) => {
    const { resource, nameOf } = places[part];
    return reader.get(resource, nameOf(app), namespaceOf(project, environment));
  });

const hasAny = ({ route, proxy, scaler }: WakeObjects): boolean => [route, proxy, scaler].some(Boolean);

/** The desired sleep objects, by the cache. */
export function plannedWake(app: CoreApp, spec: AppSpec, reader: CacheReader): WakePlan {
  const seen = { host: sleepHost(app, spec, reader), copies: replicasOf(spec) };
  return wakePlan(seen.host, wakeState(app, cachedObjects(app, spec, reader), seen));
}

const storedObjects = Effect.fnUntraced(function* (
  app: CoreApp,
  { project, environment }: AppSpec,
): Effect.fn.Return<WakeObjects, ReadError, Cluster> {
  const stored = new Map<Part, KubeObject>();
  for (const part of parts) {
    const { resource, nameOf } = places[part];
    const found = yield* find<KubeObject>(resource, {
      name: nameOf(app),
      namespace: namespaceOf(project, environment),
    });
    if (found) stored.set(part, found);
  }
  return objectsBy((part) => stored.get(part));
});

/** The desired sleep objects, and the scaler when it must be deleted first. */
export interface WakeSettled {
  readonly plan: WakePlan;
  readonly released: KubeObject | undefined;
}

/**
 * The same by direct reads, because the objects are created and deleted in order and the cache may lag. Reads nothing
 * when neither the add-on nor its objects exist.
 */
export const settledWake = Effect.fnUntraced(function* (
  app: CoreApp,
  spec: AppSpec,
  reader: CacheReader,
): Effect.fn.Return<WakeSettled, ReadError, Cluster> {
  const isAway = !isServed(reader) && !hasAny(cachedObjects(app, spec, reader));
  if (isAway) return { plan: neverSleeps, released: undefined };
  const objects = yield* storedObjects(app, spec);
  const seen = { host: sleepHost(app, spec, reader), copies: replicasOf(spec) };
  const current = wakeState(app, objects, seen);
  const plan = wakePlan(seen.host, current);
  return { plan, released: current.scaled && !plan.scaled ? objects.scaler : undefined };
});

/** Whether the add-on has scaled the service to zero. */
export function isStopped(app: CoreApp, reader: CacheReader): boolean {
  const { scaled } = wakeState(app, cachedObjects(app, app.spec, reader), { host: null, copies: 0 });
  return scaled && deploymentOf(app, app.spec, reader)?.spec?.replicas === 0;
}

/** The result of the requested sleep; null while unknown, and when not requested. */
export function sleepSeen(app: CoreApp, spec: AppSpec, reader: CacheReader) {
  if (spec.scaleToZero?.enabled !== true) return null;
  const message = awakeBecause(seenOf(app, spec, reader));
  if (message !== null) return { active: false, message };
  const scaler = reader.get(scaledObjects, app.metadata.name, namespaceOf(spec.project, spec.environment));
  const counts = conditionOf(scaler, 'Ready')?.status;
  if (counts === 'False') return { active: false, message: sleepRefused };
  return counts === 'True' ? { active: true } : null;
}
