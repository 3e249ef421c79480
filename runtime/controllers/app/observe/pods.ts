import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { type DeploymentSeen, podsSeen } from '../../../../rules/pods.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { activeAttempt, succeededAt } from '../../../../rules/provision/attempts.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { workloadPods } from '../../capacity.ts';
import { isOwnedBy, newestSetOf, type OwnedPod } from '../../revision.ts';
import { type ReplicaSet, replicaSets } from '../../../owned/addonKinds.ts';

/** The Deployment of a service. */
export const deploymentOf = ({ metadata }: CoreApp, spec: AppSpec, reader: CacheReader): DeploymentSeen | undefined =>
  reader.get<DeploymentSeen>(owned.deployments, metadata.name, namespaceOf(spec.project, spec.environment));

/** The pods of a service, of any revision. */
export const podsOf = (app: CoreApp, reader: CacheReader): readonly OwnedPod[] =>
  reader.indexed(workloadPods, ...ownedBy('CoreApp', app.metadata.name));

const newestSet = (deployment: DeploymentSeen, app: CoreApp, reader: CacheReader): ReplicaSet | undefined =>
  newestSetOf(deployment, reader.indexed(replicaSets, ...ownedBy('CoreApp', app.metadata.name)));

/** Whether any pod of a service is scheduled. */
export const isPlaced = (app: CoreApp, reader: CacheReader): boolean =>
  podsOf(app, reader).some((pod) => (pod.spec?.nodeName ?? '') !== '');

/** The Deployment of a service, its newest ReplicaSet and the pods of that. */
export function newestRevision(app: CoreApp, spec: AppSpec, reader: CacheReader) {
  const deployment = deploymentOf(app, spec, reader);
  const set = deployment && newestSet(deployment, app, reader);
  const pods = set ? podsOf(app, reader).filter((pod) => isOwnedBy(pod, set.metadata.uid)) : [];
  return { deployment, set, pods };
}

interface PodStateInput {
  readonly reader: CacheReader;
  readonly now: number;
}

/** The state of the pods of the newest revision. */
export function podState(app: CoreApp, spec: AppSpec, { reader, now }: PodStateInput) {
  const deployment = deploymentOf(app, spec, reader);
  if (!deployment) return 'none' as const;
  const isObserved = (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
  const newest = isObserved ? newestSet(deployment, app, reader) : undefined;
  const pods = newest ? podsOf(app, reader).filter((pod) => isOwnedBy(pod, newest.metadata.uid)) : [];
  const { provision } = app.status ?? {};
  const served = activeAttempt(provision) === undefined;
  const available = served ? null : (newest?.status?.availableReplicas ?? 0);
  const crashes = served ? { now, availableSince: succeededAt(provision) } : null;
  return podsSeen(deployment, pods, { served, available, crashes });
}
