import { Clock, Effect } from 'effect';
import type { Pod } from '../../../../crds/builtIn.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { isoTime } from '../../../../rules/time.ts';
import { type ClaimSeen, postgresClusters } from '../../../owned/addonKinds.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../../../services/cluster/cluster.ts';
import { withConditions } from './conditions.ts';
import { roleLabel } from './objects.ts';
import type { Observed } from './observed.ts';
import type { Server, ServerStatus } from './server.ts';
import type { Step } from './step.ts';

export type Acting = Effect.Effect<void, WriteError, Cluster>;
type Reported = Extract<Step, { readonly is: 'report' }>;

/** Writes the differing status fields of a server; refused when the server changed meanwhile. */
export const report = (server: Server, { status, conditions = [] }: Omit<Reported, 'is'>): Acting =>
  Effect.gen(function* () {
    const at = isoTime(yield* Clock.currentTimeMillis);
    const { name, namespace = '' } = server.metadata;
    const patch = Object.fromEntries(
      Object.entries(status).map(([field, value]) => [field, patchOf(server, field, value)]),
    );
    const said =
      conditions.length === 0 ? {} : { conditions: withConditions(server.status?.conditions, conditions, at) };
    yield* (yield* Cluster).patchStatus(postgresClusters, { name, namespace }, { ...patch, ...said }, asSeen(server));
  });

/** A merge patch that leaves exactly the value. */
function patchOf({ status = {} }: Server, field: string, value: unknown): unknown {
  if (value === undefined) return null;
  if (field !== 'instancesStatus') return value;
  const gone = Object.keys(status.instancesStatus ?? {}).map((is) => [is, null]);
  return { ...Object.fromEntries(gone), ...(value as ServerStatus['instancesStatus']) };
}

/** Labels running pods with their roles, when missing. */
export function roleActs({ pods, status }: Observed, resource: Resource<Pod>): readonly Acting[] {
  if (status.currentPrimary === undefined) return [];
  return [...pods.values()]
    .map((pod) => ({ pod, role: pod.metadata.name === status.currentPrimary ? 'primary' : 'replica' }))
    .filter(({ pod, role }) => pod.status?.phase === 'Running' && pod.metadata.labels?.[roleLabel] !== role)
    .map(({ pod, role }) =>
      Effect.flatMap(Cluster, (cluster) =>
        Effect.asVoid(
          cluster.patch(resource, pod.metadata, { metadata: { labels: { [roleLabel]: role } } }, asSeen(pod)),
        ),
      ),
    );
}

/** Requests a larger volume; the API refuses it when its class does not allow expansion. */
export const grow = (resource: Resource<ClaimSeen>, claim: ClaimSeen, size: string): Acting =>
  Effect.flatMap(Cluster, (cluster) =>
    Effect.asVoid(
      cluster.patch(resource, claim.metadata, { spec: { resources: { requests: { storage: size } } } }, asSeen(claim)),
    ),
  );

export const create = (resource: Resource, object: KubeObject): Acting =>
  Effect.flatMap(Cluster, (cluster) => Effect.asVoid(cluster.create(resource, object)));
export const remove = (resource: Resource, object: KubeObject): Acting =>
  Effect.flatMap(Cluster, (cluster) => cluster.remove(resource, object.metadata, asSeen(object)));
