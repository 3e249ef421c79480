import type { Pod } from '../../../../crds/builtIn.ts';
import { isReadyPod } from '../../../../rules/pods.ts';
import type { ClaimSeen } from '../../../owned/addonKinds.ts';
import { majorOf, type Server, type ServerStatus, serialOf } from './server.ts';
import { type Template, templateOf } from './template.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** A server with its objects in the cluster. */
export interface Observed {
  readonly server: Server;
  readonly status: ServerStatus;
  readonly wantedInstances: number;
  /** Its pods by name, including terminating ones. */
  readonly pods: ReadonlyMap<string, Pod>;
  readonly claims: readonly ClaimSeen[];
  /** Its instances: those with a claim that is not being deleted. */
  readonly instances: readonly string[];
  /** The desired template of its pods. */
  readonly template: Template;
  /** Its pods never become ready. */
  readonly hangs: boolean;
  /** Its pods really run. */
  readonly isReal: boolean;
}

/** Gathers the input of the next step of a server. */
export function observed(
  server: Server,
  {
    pods,
    claims,
    ...how
  }: { readonly pods: readonly Pod[]; readonly claims: readonly ClaimSeen[] } & Pick<Observed, 'hangs' | 'isReal'>,
): Observed {
  const { status = {}, spec = {} } = server;
  const live = claims.filter((claim) => !isDeleting(claim));
  const instances = live.map(({ metadata }) => metadata.name).toSorted((a, b) => serialOf(a) - serialOf(b));
  return {
    ...how,
    server,
    status,
    // A server that really runs has one instance, whatever is requested.
    wantedInstances: how.isReal ? 1 : (spec.instances ?? 1),
    pods: new Map(pods.map((pod) => [pod.metadata.name, pod])),
    claims: live,
    instances,
    template: templateOf(server, imageOf(server)),
  };
}

/** The image of its pods; a new major version only after the data were upgraded. */
function imageOf({ spec, status }: Server): string {
  const image = spec?.imageName ?? '';
  const { pgDataImageInfo: data } = status ?? {};
  return data === undefined || data.majorVersion === majorOf(image) ? image : data.image;
}

/** The live pod of an instance. */
export function livePod({ pods }: Observed, instance: string): Pod | undefined {
  const pod = pods.get(instance);
  return pod && !isDeleting(pod) ? pod : undefined;
}

/** Whether an instance is ready. */
export function isReady(seen: Observed, instance: string): boolean {
  const pod = livePod(seen, instance);
  return pod !== undefined && isReadyPod(pod);
}

/** Whether some pod of a server is being deleted. */
export const hasTerminatingPod = ({ pods }: Observed): boolean => [...pods.values()].some(isDeleting);

/** Whether every instance is ready and no other pods are left. */
export const isSettled = (seen: Observed): boolean =>
  seen.instances.every((instance) => isReady(seen, instance)) && !hasTerminatingPod(seen);

/** The current or designated primary. */
export const primaryOf = ({ status, instances }: Observed): string | undefined =>
  status.currentPrimary ?? status.targetPrimary ?? instances[0];

/** The state of each instance, as the operator groups them. */
export function instancesStatusOf(seen: Observed): ServerStatus['instancesStatus'] {
  const sorted: Record<string, string[]> = {};
  for (const instance of seen.instances) {
    const pod = livePod(seen, instance);
    if (!pod) continue;
    const is = isReady(seen, instance) ? 'healthy' : pod.status?.phase === 'Running' ? 'replicating' : 'failed';
    sorted[is] = [...(sorted[is] ?? []), instance];
  }
  return Object.keys(sorted).length === 0 ? undefined : sorted;
}
