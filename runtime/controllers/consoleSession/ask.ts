import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import {
  controllerOf,
  isDeploymentOf,
  isNameable,
  isOfStore,
  runsContainer,
  type Target,
  type TargetPod,
  targetNamespace,
} from '../../../rules/consoleSession/target.ts';
import { apps, objectStores } from '../../services/cluster/kinds.ts';
import { owned } from '../../owned/kinds.ts';
import { replicaSets } from '../../owned/addonKinds.ts';
import { pods } from '../../services/cluster/resources.ts';
import { Cluster, type ReadError, type Resource } from '../../services/cluster/cluster.ts';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { annotation } from '../../../crds/names.ts';
import { type Fact, known, unknown } from '../../../rules/fact.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

/** A pod that a command may run in, and where it is. */
export interface FitTarget {
  readonly namespace: string;
  readonly uid: string;
}

const kindsBetween: Readonly<Record<string, Resource>> = { ReplicaSet: replicaSets, Deployment: owned.deployments };

/** Whether a Deployment, or an owner above it, is one whose pods belong to the target. */
type Belongs = (owner: KubeObject & { readonly kind: string }) => boolean;

/**
 * Reads the target of a session, from the pod up its controllers by uid; null when the pod does not run or belongs to
 * another object. Reads directly, because it decides which pod a person may enter.
 */
export const fitTarget = (target: Target): Effect.Effect<FitTarget | null, ReadError, Cluster> =>
  isNameable(target)
    ? found(target).pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)))
    : Effect.succeed(null);

const found = Effect.fnUntraced(function* (target: Target): Effect.fn.Return<FitTarget | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const namespace = targetNamespace(target);
  const belongs = yield* isOfStore(target) ? ofStore(target) : ofApp(target);
  if (belongs === null) return null;
  const pod = (yield* cluster.get(pods, { name: target.pod, namespace })) as TargetPod;
  if (!runsContainer(pod, target.container)) return null;
  const isOwn = yield* leadsTo(pod, namespace, belongs);
  return isOwn ? { namespace, uid: pod.metadata.uid ?? '' } : null;
});

const ofApp = Effect.fnUntraced(function* ({
  app,
  project,
  environment,
}: Target): Effect.fn.Return<Belongs | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const service = yield* cluster.get(apps, { name: app });
  const { spec } = service;
  if (spec.project !== project || spec.environment !== environment) return null;
  return (owner) => owner.kind === 'Deployment' && isDeploymentOf(owner, service);
});

const ofStore = Effect.fnUntraced(function* ({ app }: Target): Effect.fn.Return<Belongs | null, ReadError, Cluster> {
  const cluster = yield* Cluster;
  const store = yield* cluster.get(objectStores, { name: app });
  return (owner) => {
    const above = controllerOf(owner);
    return above?.kind === 'CoreObjectStore' && above.name === app && above.uid === store.metadata.uid;
  };
});

/** Follows the controllers of an object through known kinds, each by the uid in the owner reference. */
const leadsTo = Effect.fnUntraced(function* (
  from: KubeObject,
  namespace: string,
  belongs: Belongs,
): Effect.fn.Return<boolean, ReadError, Cluster> {
  const cluster = yield* Cluster;
  let below = from;
  for (;;) {
    const reference = controllerOf(below);
    const resource = reference && kindsBetween[reference.kind];
    if (!reference || !resource) return false;
    const owner: KubeObject = yield* cluster.get(resource, { name: reference.name, namespace });
    if (owner.metadata.uid !== reference.uid) return false;
    if (belongs({ ...owner, kind: reference.kind })) return true;
    if (reference.kind === 'Deployment') return false;
    below = owner;
  }
});

/** Whether the pod is still the one of the session, and usable. */
export const targetSeen = ({ metadata, spec }: CoreConsoleSession) =>
  fitTarget(spec).pipe(
    Effect.map((found): Fact<'fit' | 'unfit'> => {
      const of = metadata.annotations?.[annotation.podUid];
      return known(found !== null && (of === undefined || of === found.uid) ? 'fit' : 'unfit');
    }),
    Effect.catch((failure) => Effect.succeed(unknown(errorMessage(failure)))),
  );
