import type { DeploymentRecordEvent, DeploymentRecordState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import type { RecordedSource } from '../../../rules/deploymentRecord/recordedSource.ts';
import type { RollbackAsked } from '../../../rules/deploymentRecord/rollback.ts';
import type { PhaseStored } from '../../../rules/deploymentRecord/shownPhase.ts';

/** What document 000 says happened to a record. */
export function documents(
  state: DeploymentRecordState | Absence,
  { deployedAt }: DeploymentRecordFacts,
): DeploymentRecordEvent['type'] | null {
  if (state === 'Recorded') return 'newerCounted';
  return deployedAt === null ? null : 'recorded';
}

/** `spec.image`, by the row of "Image". */
export function imageDocuments({ source, built }: RecordedSource): string {
  if (source === 'image') return 'DEP-030';
  if (source === 'function') return 'DEP-033';
  return built === '' ? 'DEP-032' : 'DEP-031';
}

/** `spec.changeTitle`, by the row of "Title". */
export const titleDocuments = ({ source }: RecordedSource): string =>
  ({ image: 'DEP-036', git: 'DEP-037', function: 'DEP-038' })[source];

/** `spec.source`, by the row of "Source". */
export const sourceDocuments = ({ source }: Pick<RecordedSource, 'source'>): string =>
  ({ image: 'DEP-039', git: 'DEP-040', function: 'DEP-039' })[source];

/** The phase shown, by the row of "Shown phase". */
export function phaseDocuments({ phase }: PhaseStored): string {
  if (phase === '') return 'DEP-053';
  return phase === 'skipped' ? 'DEP-054' : 'DEP-050';
}

/** The response to a rollback, by the row of "Rollback". */
export function rollbackDocuments({ app, source, revision, appLabel }: RollbackAsked): string {
  if (source === 'function') return 'DEP-075';
  if (revision === 'shop-active') return 'DEP-077';
  if (revision === '' || appLabel === null || appLabel === '') return 'DEP-076';
  if (appLabel !== app) return 'DEP-076';
  return source === 'git' ? 'DEP-070' : 'DEP-067';
}
