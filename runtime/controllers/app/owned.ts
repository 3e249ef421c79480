import { Effect } from 'effect';
import type { AppSpec, CoreApp } from '../../../crds/coreApp.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import type { DeploymentSeen } from '../../../rules/pods.ts';
import { isAutoscaled } from '../../../rules/service/effective.ts';
import { serviceObjects } from '../../../rules/service/objects.ts';
import type { Settled } from '../../../rules/service/settled.ts';
import type { WakePlan } from '../../../rules/service/wakePlan.ts';
import { apps } from '../../services/cluster/kinds.ts';
import { isScaledElsewhere } from '../../cache/appliedFields.ts';
import {
  type Diff,
  isInSync,
  makeOwned,
  type Outcome,
  type Owned,
  owned,
  type OwnedObject,
  emptyDiff,
} from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cluster, type WriteError } from '../../services/cluster/cluster.ts';
import type { Passwords } from '../../services/passwords.ts';
import { settledToken } from './owned/functionToken.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import { interceptorRoutes, scaledObjects } from '../../owned/addonKinds.ts';
import { deploymentOf } from './observe/pods.ts';
import { settledOf, type Settling } from './owned/settled.ts';
import { imageOf } from './observe/source.ts';
import { settledWake } from './owned/wake.ts';
import type { ServiceObject } from '../../../rules/service/part.ts';

/** The owned objects of a service. */
export interface ServiceResources extends Pick<
  Owned<CoreApp>,
  'watches' | 'changes' | 'deleteAll' | 'confirmDeleted' | 'remaining' | 'settled' | 'sweep'
> {
  /** The difference from what the gate's state desires; for a draft, everything that exists. */
  readonly diff: (app: CoreApp, reader: CacheReader, gate: DraftDeployState) => Diff;
  /** Whether any of its objects is in the cache. */
  readonly existsInCache: (app: CoreApp, reader: CacheReader) => boolean;
  readonly apply: (app: CoreApp, reader: CacheReader) => Effect.Effect<Outcome, WriteError, Cluster | Passwords>;
  /** Deletes all of it, for an action: the service was just read directly. */
  readonly remove: (app: CoreApp, reader: CacheReader) => Effect.Effect<Outcome, WriteError, Cluster>;
}

const kept: Readonly<Record<ServiceObject['kind'], Omit<OwnedObject, 'object'>>> = {
  ConfigMap: { resource: owned.configMaps, whole: [['data']] },
  Secret: { resource: owned.secrets, whole: [['data']], fixed: [{ path: ['type'], then: 'replace' }] },
  Service: { resource: owned.services },
  Ingress: { resource: owned.ingresses },
  CronJob: { resource: owned.cronJobs },
  HorizontalPodAutoscaler: { resource: owned.autoscalers },
  InterceptorRoute: { resource: interceptorRoutes },
  ScaledObject: { resource: scaledObjects },
  Deployment: { resource: owned.deployments, fixed: [{ path: ['spec', 'selector'], then: 'replace' }] },
};

/**
 * The desired objects in this state of the gate; null, which changes nothing, when the deployed spec or its image is
 * unknown.
 */
function wantedIn(app: CoreApp, settling: Settling, last: LastMade): readonly OwnedObject[] | null {
  const { gate, reader } = settling;
  if (gate === 'Draft') return [];
  const spec = runningSpec(gate, app);
  if (spec === null || imageOf({ ...app, spec }, reader) === '') return null;
  const settled = settledOf(app, spec, settling);
  const ownedResources = made(app, spec, settled, last);
  const isAwaited = gate === 'Ungated' && ownedResources.some(({ object }) => isUnwritten(object, reader));
  if (!isAwaited) return ownedResources;
  const live = deploymentOf(app, spec, reader);
  // A running workload keeps the variables that it started with.
  if (live) return made(app, spec, { ...settled, variablesRevision: variablesIn(live) }, last);
  return ownedResources.filter(({ object }) => object.kind !== 'Deployment');
}

const variablesIn = ({ spec }: DeploymentSeen): string =>
  spec?.template?.metadata?.annotations?.[annotation.variables] ?? '';

interface ServiceResource extends OwnedObject {
  readonly object: ServiceObject;
}

/** The last desired objects of a service, and their inputs. */
interface Made {
  readonly spec: AppSpec;
  readonly of: string;
  /** Whether the free capacity of the nodes mattered, which changes without a change of the service. */
  readonly byCapacity: boolean;
  readonly ownedResources: readonly ServiceResource[];
}

/**
 * By name of the service, because every pass needs the objects many times, and identical ones are not compared again.
 */
type LastMade = Map<string, Made>;

/**
 * The cache may lag behind the autoscaler. At zero replicas only the add-on decides, because an autoscaler does not
 * leave zero.
 */
const scaledElsewhere =
  (spec: AppSpec, { scaled }: WakePlan) =>
  (live: KubeObject & Pick<DeploymentSeen, 'spec'>) =>
    (scaled || (isAutoscaled(spec) && live.spec?.replicas !== 0)) && isScaledElsewhere(live);

function made(app: CoreApp, spec: AppSpec, settled: Settled, last: LastMade): readonly ServiceResource[] {
  const { name } = app.metadata;
  const of = JSON.stringify([spec, settled]);
  const before = last.get(name);
  if (before?.of === of && (!before.byCapacity || before.spec === spec)) return before.ownedResources;
  let byCapacity = false;
  const hasCapacity = () => {
    byCapacity = true;
    return settled.rollout.hasRoom();
  };
  const objects = serviceObjects(app, spec, { ...settled, rollout: { ...settled.rollout, hasRoom: hasCapacity } });
  const ownedResources = objects.map((object): ServiceResource => ({
    ...kept[object.kind],
    object,
    ...(object.kind === 'Deployment' && { scaledElsewhere: scaledElsewhere(spec, settled.wake) }),
  }));
  last.set(name, { spec, of, byCapacity, ownedResources });
  return ownedResources;
}

/** Without a gate the pods follow the version of their Secret, which exists only once written. */
const isUnwritten = ({ kind, metadata: { name, namespace } }: ServiceObject, reader: CacheReader): boolean =>
  kind === 'Secret' && reader.get(owned.secrets, name, namespace) === undefined;

/** Removes the add-on's scaler before anything else changes, because it scales to zero without requests. */
const release = Effect.fnUntraced(function* ({ metadata }: KubeObject): Effect.fn.Return<void, WriteError, Cluster> {
  const cluster = yield* Cluster;
  yield* cluster.remove(scaledObjects, metadata, { uid: metadata.uid ?? '' });
});

export function serviceResources(): ServiceResources {
  const last: LastMade = new Map();
  const wantedOf = (app: CoreApp, settling: Settling) => wantedIn(app, settling, last);
  const own = makeOwned<CoreApp>({
    owners: apps,
    resources: [
      scaledObjects,
      owned.configMaps,
      owned.secrets,
      owned.services,
      owned.ingresses,
      owned.deployments,
      owned.autoscalers,
      owned.cronJobs,
      interceptorRoutes,
    ],
    desired: (app, reader) => wantedOf(app, { gate: gateOf(app), reader }) ?? [],
  });
  return {
    ...own,
    diff: (app, reader, gate) => {
      const wanted = wantedOf(app, { gate, reader });
      return wanted === null ? emptyDiff : own.diff(app, reader, wanted);
    },
    existsInCache: (app, reader) => !isInSync(own.diff(app, reader, [])),
    apply: Effect.fnUntraced(function* (app, reader) {
      const { plan: wake, released } = yield* settledWake(app, specOf(app), reader);
      const token = yield* settledToken(app, specOf(app), reader);
      // In the same pass, because the next one may be delayed, and without the scaler nothing starts a copy.
      if (released) yield* release(released);
      const wanted = wantedOf(app, { gate: gateOf(app), reader, token, wake }) ?? [];
      const outcome = yield* own.reconcile(app, reader, wanted);
      return released ? { ...outcome, did: true } : outcome;
    }),
    sweep: (name, context) => {
      last.delete(name);
      return own.sweep(name, context);
    },
    remove: (app, reader) => own.reconcile(app, reader, [], 'justRead'),
  };
}
