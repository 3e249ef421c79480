import type { Pod } from '../../../../crds/builtIn.ts';
import { isReadyPod } from '../../../../rules/pods.ts';
import type { ClaimSeen } from '../../../owned/addonKinds.ts';
import { majorOf, type Server, type ServerStatus, serialOf } from './server.ts';
import { type Template, templateOf } from './template.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** A server with what the cluster has of it. */
export interface Observed {
  readonly server: Server;
  readonly status: ServerStatus;
  readonly wantedInstances: number;
  /** Its pods by name, those too that are being deleted. */
  readonly pods: ReadonlyMap<string, Pod>;
  readonly claims: readonly ClaimSeen[];
  /** Its instances: those with a claim that is not being deleted. */
  readonly instances: readonly string[];
  /** What its pods are to be made of. */
  readonly template: Template;
  /** Nothing that is made for it comes up. */
  readonly hangs: boolean;
  /** Its pods really run. */
  readonly isReal: boolean;
}

/** Everything that the next step about a server is decided over. */
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
    // Of servers that really run there is one, whatever is asked for.
    wantedInstances: how.isReal ? 1 : (spec.instances ?? 1),
    pods: new Map(pods.map((pod) => [pod.metadata.name, pod])),
    claims: live,
    instances,
    template: templateOf(server, imageOf(server)),
  };
}

/** The image of its pods: of another major version only once its data are. */
function imageOf({ spec, status }: Server): string {
  const image = spec?.imageName ?? '';
  const { pgDataImageInfo: data } = status ?? {};
  return data === undefined || data.majorVersion === majorOf(image) ? image : data.image;
}

/** The pod of an instance that is not being deleted. */
export function livePod({ pods }: Observed, instance: string): Pod | undefined {
  const pod = pods.get(instance);
  return pod && !isDeleting(pod) ? pod : undefined;
}

/** Whether an instance answers. */
export function isReady(seen: Observed, instance: string): boolean {
  const pod = livePod(seen, instance);
  return pod !== undefined && isReadyPod(pod);
}

/** Whether some pod of a server is being deleted. */
export const hasTerminatingPod = ({ pods }: Observed): boolean => [...pods.values()].some(isDeleting);

/** Whether every instance answers and nothing of others is left. */
export const isSettled = (seen: Observed): boolean =>
  seen.instances.every((instance) => isReady(seen, instance)) && !hasTerminatingPod(seen);

/** The instance that takes writes, or is to. */
export const primaryOf = ({ status, instances }: Observed): string | undefined =>
  status.currentPrimary ?? status.targetPrimary ?? instances[0];

/** How each instance is, as the operator sorts them. */
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
