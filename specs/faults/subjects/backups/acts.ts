import { Effect } from 'effect';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { backupArchives, cloudConnections } from '../../../../runtime/services/cluster/kinds.ts';
import { postgresBackups } from '../../../../runtime/owned/addonKinds.ts';
import { CloudFailed } from '../../../../runtime/services/cloud.ts';
import { archivesIn, bucket, jobIn, putConnection, putStorage } from '../../../support/backups.ts';
import { databaseIn, putDatabase, putDatabaseEnvironment } from '../../../support/database.ts';
import type { World } from '../../../support/world.ts';
import { dropDatabase, specIs } from '../database/paths.ts';
import type { Act, Path } from '../subject.ts';
import type { Comes } from './actors.ts';

/** What a database says of its backups; once it is gone, whether archives of it are left. */
export function backupStateIn(world: World): string {
  const database = databaseIn(world);
  if (database) return database.status?.backup?.state ?? database.status?.phase ?? '';
  return archivesIn(world).length > 0 ? 'Kept' : '';
}

export type Engine = 'SQLite' | 'MySQL' | 'Postgres';

export const refuses = (world: World): void => {
  world.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, why: 'AccessDenied' });
};
export const heals = (world: World): void => {
  world.cloud.failing = null;
};
export const linked = (world: World) => {
  putConnection(world);
  putStorage(world);
};

/** A database that is deployed, and has backups. */
export const putBackedUp = (world: World, engine: Engine, spec: Partial<DatabaseSpec> = {}): void =>
  putDatabase(world, { engine, deploy: { enabled: true }, backup: { enabled: true, retentionDays: 7 }, ...spec });

export const given =
  (engine: Engine, prepare: (world: World) => void = linked, spec: Partial<DatabaseSpec> = {}): Path['given'] =>
  (world) => {
    putDatabaseEnvironment(world);
    prepare(world);
    putBackedUp(world, engine, spec);
  };

export const once = (state: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => backupStateIn(world) === state,
  edit,
});
export const deletes = once('Protected', 'it is deleted', dropDatabase);
export const backups = (enabled: boolean) => specIs({ backup: { enabled, retentionDays: 7 } });
export const turnsOff = once('Protected', 'backups are turned off', backups(false));
/** The last backup is under way. */
export const inFinal = (text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => jobIn(world, 'orders-final') !== undefined || world.cluster.all(postgresBackups).length > 0,
  edit,
});

/** What happens to the cloud while the last backup is taken. */
export const connectionGoes = ({ cluster }: World): void => {
  Effect.runSync(cluster.remove(cloudConnections, { name: 'aws' }));
};
export const bucketGoes = ({ cloud }: World): void => void cloud.model.state.buckets.delete(bucket);
export const keysGo = ({ cloud }: World): void => {
  for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
};

export const dropArchives = ({ cluster }: Pick<World, 'cluster'>): void => {
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
