import type { Job } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { ofPods, ownedKind } from '../../owned/kinds.ts';

/** The Jobs of databases: dumps, restores, and those by which the operator for Postgres recovers a server. */
export const backupJobs = ownedKind<Job>({ group: 'batch', kind: 'Job', plural: 'jobs', ...ofPods });

export const scheduledBackups = ownedKind({
  group: 'postgresql.cnpg.io',
  kind: 'ScheduledBackup',
  plural: 'scheduledbackups',
});

interface Backup extends KubeObject {
  readonly status?: { readonly phase?: string };
}

export const postgresBackups = ownedKind<Backup>({
  group: 'postgresql.cnpg.io',
  kind: 'Backup',
  plural: 'backups',
});
