import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation } from '../../crds/names.ts';
import { hashOf } from '../canonical.ts';
import { msOf } from '../time.ts';
import { isDeleting } from '../deleting.ts';

/** Normalizes a host: lower case, without port and root dot. */
const normalized = (host: string): string => host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

type Asking = Pick<CoreApp, 'metadata' | 'spec'>;

/** The host in the spec of a service; empty for none. */
export const ownHostOf = ({ spec: { networking } }: Pick<CoreApp, 'spec'>): string =>
  normalized(networking?.host ?? '');

/** The requested or default public host of a service; empty for none. */
export const askedHostOf = (app: Asking): string =>
  ownHostOf(app) || normalized(app.metadata.annotations?.[annotation.defaultHost] ?? '');

const isOlder = ({ metadata: one }: Asking, { metadata: other }: Asking): boolean => {
  const [a, b] = [msOf(one.creationTimestamp ?? ''), msOf(other.creationTimestamp ?? '')];
  return a === b || Number.isNaN(a - b) ? one.name < other.name : a < b;
};

/** The target of a host: the dashboard, the oldest of the services that request it, or none. */
export type Leads = { readonly to: 'dashboard' } | { readonly to: 'service'; readonly name: string } | null;

/**
 * The single rule for the target of a host, for Ingresses, tunnels and sleeping services. `asking` are the services
 * that request this host.
 */
export function whereLeads(host: string, dashboardHost: string, asking: readonly Asking[]): Leads {
  if (host === '') return null;
  if (host === dashboardHost) return { to: 'dashboard' };
  const [first] = asking.filter((one) => !isDeleting(one)).toSorted((a, b) => (isOlder(a, b) ? -1 : 1));
  return first ? { to: 'service', name: first.metadata.name } : null;
}

/** The hosts that a service may have by default, the best first (decision 107). */
export function defaultHosts(
  { metadata: { name }, spec: { environment } }: Asking,
  rootDomain: string,
): readonly string[] {
  const labels = [name, `${name}-${environment}`, `${name}-${hashOf(`${name}/${environment}`).slice(0, 8)}`];
  return labels.filter((label) => label.length <= 63).map((label) => `${label}.${rootDomain}`);
}
