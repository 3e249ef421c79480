import type { DraftDeployState } from '../../machines/names.ts';
import type { DeployedKind, DeployStored, DraftDeployFacts } from './facts.ts';

/** A logical database is created as soon as it exists; every other kind waits for its deploy. */
export const hasGate = (kind: DeployedKind): boolean => kind !== 'logicalDatabase';

/**
 * A service that is off does not run, even a manually created one; a manually created database is provisioned
 * nevertheless.
 */
const isOff = ({ kind, stored }: { readonly kind: DeployedKind; readonly stored: DeployStored }): boolean =>
  !stored.enabled && (stored.workflow || kind === 'service');

/** The state stored in a resource by any client; null when there is none. */
export function draftDeployStateOf({
  kind,
  stored,
}: Pick<DraftDeployFacts, 'kind' | 'stored'>): DraftDeployState | null {
  if (stored === null) return null;
  if (!hasGate(kind)) return 'Ungated';
  if (isOff({ kind, stored })) return 'Draft';
  if (!stored.workflow) return 'Ungated';
  if (stored.pending.length === 0) return 'Deployed';
  return stored.snapshot ? 'PendingChanges' : 'SnapshotMissing';
}
