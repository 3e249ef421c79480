import type { CoreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causeOfAction } from '../../../../rules/cause/failedAction.ts';
import { causesOfServer } from '../../../../rules/cause/server.ts';
import { claimName, rootSecretName } from '../../../../rules/objectStore/names.ts';
import type { DeploymentSeen, StartingPod } from '../../../../rules/pods.ts';
import { msOf } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { claimSeen, type ClaimSeen, replicaSets } from '../../../owned/addonKinds.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { refIn } from '../../../services/cluster/failedOn.ts';
import { unmanagedMessage } from '../../../owned/messages.ts';
import { owned } from '../../../owned/owned.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { secretValues } from '../../../services/secretText.ts';
import { workloadPods } from '../../capacity.ts';
import { refOf } from '../../causes.ts';
import { newestRevisionOf } from '../../revision.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import type { Memory } from '../observe.ts';

/**
 * Why what is made of an object store in the cluster does not stand: what refuses it, else why the pod of a server does
 * not run.
 */
export function startingOf(
  store: CoreObjectStore,
  { ownedResources, deriving }: Pick<Memory, 'ownedResources'> & { readonly deriving: DerivingOfPods },
): readonly FoundCause[] {
  const { reader, failures } = deriving;
  const [unmanaged] = ownedResources.diff(store, reader).unmanaged;
  const refused = failures.get('broughtAbout');
  const self = refOf(store);
  if (unmanaged)
    return [
      causeOfAction({ why: unmanagedMessage(unmanaged), on: refIn(unmanaged.ref.resource, unmanaged.ref) }, { self }),
    ];
  if (refused) return [causeOfAction(refused, { self })];
  return store.spec.mode === 'Server' ? copiesOf(store, deriving) : [];
}

/** The Deployment of a server of buckets, with the pods of its newest revision; undefined without one. */
function serverOf({ metadata: { name } }: CoreObjectStore, reader: CacheReader) {
  const own = ownedBy('CoreObjectStore', name);
  const deployment = reader.get<DeploymentSeen>(owned.deployments, name, systemNamespace);
  if (deployment === undefined) return undefined;
  const sets = reader.indexed(replicaSets, ...own);
  return { deployment, ...newestRevisionOf(deployment, sets, reader.indexed(workloadPods, ...own)) };
}

/** The pods of a server of buckets. */
export const serverPods = (store: CoreObjectStore, reader: CacheReader): readonly StartingPod[] =>
  serverOf(store, reader)?.pods ?? [];

/** Why the pod of a server of buckets does not run, or did not lately. */
function copiesOf(store: CoreObjectStore, { reader, now, volumeEvent }: DerivingOfPods): readonly FoundCause[] {
  const { name } = store.metadata;
  const server = serverOf(store, reader);
  if (server === undefined) return [];
  const { deployment, owners, pods } = server;
  const claim: ClaimSeen | undefined = reader.get(owned.claims, claimName(name), systemNamespace);
  return causesOfServer(
    {
      on: { kind: 'Deployment', name, namespace: systemNamespace },
      owners,
      wanted: deployment.spec?.replicas ?? 1,
      pods,
      volumeEvent,
      secrets: () => secretValues(reader.get(secrets, rootSecretName(name))),
      now: msOf(now),
    },
    claim ? [claimSeen(claim)] : [],
  );
}
