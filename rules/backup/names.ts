/** The CronJob, and with `-first` the immediate Job. */
export const backupCronJobName = (database: string): string => `${database}-backup`;
export const firstBackupName = (database: string): string => `${database}-backup-first`;
/** The last backup before a deletion: a Job, or a Backup of the Postgres operator. */
export const finalBackupName = (database: string): string => `${database}-final`;
export const restoreJobName = (database: string): string => `${database}-restore`;
/** Secrets with keys to one bucket alone, beside the database. */
export const backupCredentialsName = (database: string): string => `${database}-backup-credentials`;
export const restoreCredentialsName = (database: string): string => `${database}-restore-credentials`;

/** The name of a CronJob is at most 52 characters long, because its Jobs have a number appended. */
const maxDatabaseName = 52 - '-backup'.length;

/** Why the backups of a database cannot be planned; empty when they can. */
export const unplannedOf = (database: string, engine: string): string =>
  engine !== 'Postgres' && database.length > maxDatabaseName
    ? `the name of a database with daily backups must be no more than ${maxDatabaseName} characters`
    : '';

const cutTo = 40;

/** The folder of a database's backups: the start of its name and of its uid (decision 85). */
export const serverNameOf = (database: string, uid: string): string =>
  `${database.slice(0, cutTo).replace(/[-.]+$/, '')}-${uid.slice(0, 8)}`;
