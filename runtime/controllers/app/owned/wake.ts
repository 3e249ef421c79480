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

/** The definitions of the add-on's kinds: it is there while both are. */
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

/** The host to sleep under; null where the service is to stay awake. */
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

/** What is to stand of what lets it sleep, by the cache. */
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

/** What is to stand now, and the object by which the add-on counts the copies, where that must go before all else. */
export interface WakeSettled {
  readonly plan: WakePlan;
  readonly released: KubeObject | undefined;
}

/**
 * The same by direct reads, because the objects are made and taken away in an order and the cache may lag. Where neither
 * the add-on nor anything of it is there, nothing is read.
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

/** Whether the add-on has stopped every copy. */
export function isStopped(app: CoreApp, reader: CacheReader): boolean {
  const { scaled } = wakeState(app, cachedObjects(app, app.spec, reader), { host: null, copies: 0 });
  return scaled && deploymentOf(app, app.spec, reader)?.spec?.replicas === 0;
}

/** What became of the wish to sleep; null while the cluster has not answered, and where nobody asked. */
export function sleepSeen(app: CoreApp, spec: AppSpec, reader: CacheReader) {
  if (spec.scaleToZero?.enabled !== true) return null;
  const message = awakeBecause(seenOf(app, spec, reader));
  if (message !== null) return { active: false, message };
  const scaler = reader.get(scaledObjects, app.metadata.name, namespaceOf(spec.project, spec.environment));
  const counts = conditionOf(scaler, 'Ready')?.status;
  if (counts === 'False') return { active: false, message: sleepRefused };
  return counts === 'True' ? { active: true } : null;
}
