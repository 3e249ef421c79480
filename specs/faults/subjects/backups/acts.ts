import { Effect } from 'effect';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { backupArchives, cloudConnections } from '../../../../runtime/services/cluster/kinds.ts';
import { postgresBackups } from '../../../../runtime/owned/addonKinds.ts';
import { CloudFailed } from '../../../../runtime/services/cloud.ts';
import { archivesIn, bucket, jobIn, putConnection, putStorage } from '../../../support/backups.ts';
import { databaseIn, putDatabase, putDatabaseEnvironment } from '../../../support/database.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { dropDatabase, specIs } from '../database/paths.ts';
import type { Act, Path } from '../subject.ts';
import type { Comes } from './actors.ts';

/** What a database says of its backups; once it is gone, whether archives of it are left. */
export function backupStateIn(environment: TestEnvironment): string {
  const database = databaseIn(environment);
  if (database) return database.status?.backup?.state ?? database.status?.phase ?? '';
  return archivesIn(environment).length > 0 ? 'Kept' : '';
}

export type Engine = 'SQLite' | 'MySQL' | 'Postgres';

export const refuses = (environment: TestEnvironment): void => {
  environment.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied' });
};
export const heals = (environment: TestEnvironment): void => {
  environment.cloud.failing = null;
};
export const linked = (environment: TestEnvironment) => {
  putConnection(environment);
  putStorage(environment);
};

/** A database that is deployed, and has backups. */
export const putBackedUp = (environment: TestEnvironment, engine: Engine, spec: Partial<DatabaseSpec> = {}): void =>
  putDatabase(environment, { engine, deploy: { enabled: true }, backup: { enabled: true, retentionDays: 7 }, ...spec });

export const given =
  (
    engine: Engine,
    prepare: (environment: TestEnvironment) => void = linked,
    spec: Partial<DatabaseSpec> = {},
  ): Path['given'] =>
  (environment) => {
    putDatabaseEnvironment(environment);
    prepare(environment);
    putBackedUp(environment, engine, spec);
  };

export const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => backupStateIn(environment) === state,
  edit,
});
export const deletes = once('Protected', 'it is deleted', dropDatabase);
export const backups = (enabled: boolean) => specIs({ backup: { enabled, retentionDays: 7 } });
export const turnsOff = once('Protected', 'backups are turned off', backups(false));
/** The last backup is under way. */
export const inFinal = (text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) =>
    jobIn(environment, 'orders-final') !== undefined || environment.cluster.all(postgresBackups).length > 0,
  edit,
});

/** What happens to the cloud while the last backup is taken. */
export const connectionGoes = ({ cluster }: TestEnvironment): void => {
  Effect.runSync(cluster.remove(cloudConnections, { name: 'aws' }));
};
export const bucketGoes = ({ cloud }: TestEnvironment): void => void cloud.model.state.buckets.delete(bucket);
export const keysGo = ({ cloud }: TestEnvironment): void => {
  for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
};

export const dropArchives = ({ cluster }: Pick<TestEnvironment, 'cluster'>): void => {
  for (const { metadata } of cluster.all(backupArchives)) cluster.drop(backupArchives, metadata.name);
};

/** One path of the backups of a database. */
export interface BackupPath {
  readonly name: string;
  readonly end: string;
  readonly engine?: Engine;
  readonly given?: Path['given'];
  readonly script?: readonly Act[];
  readonly comes?: () => Comes;
  /** Its bucket cannot be listed in the end. */
  readonly isUnlisted?: true;
  /** Its CronJob may still be there when another one is wanted. */
  readonly mayKeepCronJob?: true;
}
