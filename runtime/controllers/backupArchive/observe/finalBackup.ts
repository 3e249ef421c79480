import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { finalBackupName } from '../../../../rules/backup/names.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import type { FinalBackupSeen } from '../../../../rules/database/facts.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import { archiveOf } from './archives.ts';
import { isMadeFor } from './progress.ts';
import { backupJobs, postgresBackups } from '../../../owned/addonKinds.ts';

/** The state of the final backup of a database being deleted; `finished` also when there is nothing to save. */
export function finalBackupSeen(database: CoreDatabase, reader: CacheReader): FinalBackupSeen {
  const archive = archiveOf(database, reader);
  // A database with a backup has run, even if the process ended before recording it.
  const hasRun = (database.status?.host ?? '') !== '' || typeof archive?.status?.lastBackupTime === 'string';
  if (!hasRun || archive === undefined) return 'finished';
  const spec = specOf(database, gateOf(database));
  const at = [finalBackupName(database.metadata.name), namespaceOf(spec)] as const;
  const live = spec.engine === 'Postgres' ? reader.get(postgresBackups, ...at) : reader.get(backupJobs, ...at);
  return live === undefined || !isMadeFor(live, database.metadata.uid ?? '') ? 'absent' : backupOutcome(live);
}

/** The outcome of a Job, or of a Backup of the Postgres operator. */
export function backupOutcome(live: KubeObject): 'running' | 'finished' | 'failed' {
  const { phase } = (live as { readonly status?: { readonly phase?: string } }).status ?? {};
  if (phase === 'completed') return 'finished';
  if (phase === 'failed') return 'failed';
  const { is } = jobOutcome(live as Job);
  return is === 'succeeded' ? 'finished' : is;
}
