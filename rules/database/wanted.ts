import type { DatabaseFacts, DatabaseObserved, DatabaseWanted } from './facts.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';

/** Backups are ignored for Redis and for external databases. */
export const isBackedUp = ({ backup, engine, placement }: DatabaseWanted): boolean =>
  backup && placement === 'InCluster' && (engine === 'Postgres' || engine === 'MySQL' || engine === 'SQLite');

/**
 * How many instances run: at least three with high availability. Without it only Postgres runs more than one, because
 * the others would not replicate.
 */
export function instancesOf(
  { engine, highAvailability, instances }: Pick<DatabaseWanted, 'engine' | 'highAvailability' | 'instances'>,
  { haInstances }: Pick<DatabaseLimits, 'haInstances'> = databaseLimits,
): number {
  if (engine === 'SQLite') return 1;
  if (highAvailability) return Math.max(haInstances, instances);
  return engine === 'Postgres' ? instances : 1;
}

/** How many instances must fit when it is deployed; an external database needs none. */
export const instancesNeeded = (wanted: DatabaseWanted): number =>
  wanted.placement === 'External' ? 0 : instancesOf(wanted);

/** Whether a provisioned database serves although an action of this pass could not be done yet. */
export const servesMeanwhile = ({
  failure,
  ran,
  pods,
  connected,
}: Pick<DatabaseObserved, 'failure' | 'ran' | 'pods' | 'connected'>): boolean =>
  failure?.counts === 'waiting' && ran !== null && pods === 'running' && connected;

/** Whether a Job has to load a snapshot: once, and never into a database that was already in use. */
export const awaitsRestore = ({ wanted, restore }: Pick<DatabaseFacts, 'wanted' | 'restore'>): boolean =>
  wanted.restoreFrom &&
  wanted.placement === 'InCluster' &&
  (wanted.engine === 'MySQL' || wanted.engine === 'SQLite') &&
  !restore.served &&
  !restore.recorded;

/** Whether the operator restores it from a backup when creating the server. */
export const isRecovered = ({ wanted, restore }: Pick<DatabaseFacts, 'wanted' | 'restore'>): boolean =>
  wanted.restoreFrom && wanted.placement === 'InCluster' && wanted.engine === 'Postgres' && !restore.served;
