import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { pendingOf } from '../../rules/draftDeploy/stored.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../api.ts';

const detailsOf = (
  database: CoreDatabase,
  { spec, status }: RedactedCopy<CoreDatabase>,
  reason: string,
): Summary['details'] => ({
  engine: spec.engine ?? '',
  version: spec.version ?? '',
  placement: spec.placement ?? '',
  provider: spec.provider ?? '',
  host: status.host ?? '',
  storageSize: spec.storageSize ?? '',
  highAvailability: spec.highAvailability ?? false,
  region: spec.serverRegion ?? '',
  backup: status.backup ?? null,
  pending: pendingOf(database),
  reason,
});

/** A database in the shape of every list and read (decision 23). */
export const databaseSummary = (database: CoreDatabase, view: View): Summary =>
  summaryOf(database, redacted('CoreDatabase', database, view), view);

function summaryOf(database: CoreDatabase, copy: RedactedCopy<CoreDatabase>, view: View): Summary {
  const { metadata } = copy;
  const ready = conditionOf(database, 'Ready') ?? { reason: '', message: '' };
  return {
    kind: 'CoreDatabase',
    name: metadata.name,
    displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: database.spec.project ?? '',
    environment: database.spec.environment ?? '',
    state: stateOf(database),
    message: messageInWords(ready, view),
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    details: detailsOf(database, copy, ready.reason),
  };
}

/** A database with its state, redacted for a view. */
export function databaseRead(database: CoreDatabase, view: View): Read {
  const copy = redacted('CoreDatabase', database, view);
  return { resource: summaryOf(database, copy, view), spec: copy.spec, status: copy.status };
}
