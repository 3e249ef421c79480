import type { DraftDeployState } from '../../machines/names.ts';
import type { DeployedKind, DraftDeployFacts } from './facts.ts';

/** A logical database is created as soon as it exists; every other kind waits for its deploy. */
export const hasGate = (kind: DeployedKind): boolean => kind !== 'logicalDatabase';

/** The state stored in a resource, whoever wrote it; null when there is none. */
export function standsAs({ kind, stored }: Pick<DraftDeployFacts, 'kind' | 'stored'>): DraftDeployState | null {
  if (stored === null) return null;
  if (!hasGate(kind) || !stored.workflow) return 'Ungated';
  if (!stored.enabled) return 'Draft';
  if (stored.pending.length === 0) return 'Deployed';
  return stored.snapshot ? 'PendingChanges' : 'SnapshotMissing';
}
