import { stamp } from '../nodes/clock.ts';
import { mayMiss, sum, wantedOf, wantedOfAll } from './deploymentSize.ts';
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from './shapes.ts';

type Conditions = readonly DeploymentCondition[];
type Said = Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>;

const defaultDeadlineSeconds = 600;
/** A deadline of this many seconds is none. */
const noDeadline = 2 ** 31 - 1;

export const progressOf = ({ status }: Deployment): DeploymentCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Progressing');

export function deadlineSeconds({ spec }: Deployment): number | null {
  const seconds = spec?.progressDeadlineSeconds ?? defaultDeadlineSeconds;
  return seconds === noDeadline ? null : seconds;
}

/** The conditions with one of them renewed, unless it says the same already. */
export function withCondition(conditions: Conditions, said: Said, now: number): Conditions {
  const old = conditions.find(({ type }) => type === said.type);
  if (old && old.status === said.status && old.reason === said.reason) return conditions;
  return replaced(conditions, said, now);
}

function replaced(conditions: Conditions, said: Said, now: number): Conditions {
  const old = conditions.find(({ type }) => type === said.type);
  const at = stamp(now);
  const lastTransitionTime = old?.status === said.status ? (old.lastTransitionTime ?? at) : at;
  const next = { ...said, lastUpdateTime: at, lastTransitionTime };
  return [...conditions.filter(({ type }) => type !== said.type), next];
}

/** The pods of a Deployment, counted over its ReplicaSets, and whether they are enough. */
export function counted(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newest: ReplicaSet | null,
  now: number,
): DeploymentStatus {
  const count = (field: 'replicas' | 'readyReplicas' | 'availableReplicas') =>
    sum(all.map(({ status }) => status?.[field] ?? 0));
  const available = count('availableReplicas');
  const updated = newest?.status?.replicas ?? 0;
  const unavailable = Math.max(0, wantedOfAll(all) - available);
  const enough = available >= wantedOf(deployment) - mayMiss(deployment);
  const availability: Said = enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...(count('replicas') > 0 && { replicas: count('replicas') }),
    ...(updated > 0 && { updatedReplicas: updated }),
    ...(count('readyReplicas') > 0 && { readyReplicas: count('readyReplicas') }),
    ...(available > 0 && { availableReplicas: available }),
    ...(unavailable > 0 && { unavailableReplicas: unavailable }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(conditions, availability, now),
  };
}

/** Whether every pod is of the newest template and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = wantedOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted &&
    (status?.availableReplicas ?? 0) === wanted &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function moves(old: DeploymentStatus = {}, next: DeploymentStatus): boolean {
  const gain = (field: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') =>
    (next[field] ?? 0) > (old[field] ?? 0);
  const outdated = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    gain('updatedReplicas') || outdated(next) < outdated(old) || gain('readyReplicas') || gain('availableReplicas')
  );
}

/** When a rollout that does not move is given up; Infinity when it never is. */
export function givenUpAt(deployment: Deployment, conditions: Conditions): number {
  const condition = conditions.find(({ type }) => type === 'Progressing');
  const seconds = deadlineSeconds(deployment);
  const settled = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'];
  if (!condition || seconds === null || settled.includes(condition.reason ?? '')) return Infinity;
  return Date.parse(condition.lastUpdateTime ?? '') + seconds * 1000;
}

/** The status with what is to be said of the progress of a rollout. */
export function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  sets: { readonly all: readonly ReplicaSet[]; readonly newest: ReplicaSet | null },
  now: number,
): DeploymentStatus {
  const { conditions = [] } = status;
  const failures = [...(sets.newest ? [sets.newest] : []), ...sets.all].flatMap(
    (set) => set.status?.conditions?.filter(({ type }) => type === 'ReplicaFailure') ?? [],
  );
  const progressed = progressing(deployment, { ...status, conditions }, sets.newest, now);
  const others = progressed.filter(({ type }) => type !== 'ReplicaFailure');
  const [failure] = failures;
  if (!failure) return { ...status, conditions: others };
  const { type, status: verdict, reason = '', message = '' } = failure;
  return { ...status, conditions: withCondition(progressed, { type, status: verdict, reason, message }, now) };
}

function progressing(
  deployment: Deployment,
  status: DeploymentStatus & { readonly conditions: Conditions },
  newest: ReplicaSet | null,
  now: number,
): Conditions {
  const { conditions } = status;
  if (deadlineSeconds(deployment) === null) return conditions.filter(({ type }) => type !== 'Progressing');
  const current = conditions.find(({ type }) => type === 'Progressing');
  const whole = (status.replicas ?? 0) === (status.updatedReplicas ?? 0);
  if (whole && current?.reason === 'NewReplicaSetAvailable') return conditions;
  const subject = newest ? `ReplicaSet "${newest.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const say = (verdict: 'True' | 'False', reason: string, what: string): Said => ({
    type: 'Progressing',
    status: verdict,
    reason,
    message: `${subject} ${what}`,
  });
  if (isComplete(deployment, status))
    return withCondition(conditions, say('True', 'NewReplicaSetAvailable', 'has successfully progressed.'), now);
  if (moves(deployment.status, status))
    return replaced(conditions, say('True', 'ReplicaSetUpdated', 'is progressing.'), now);
  if (now >= givenUpAt(deployment, conditions))
    return withCondition(conditions, say('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'), now);
  return conditions;
}
