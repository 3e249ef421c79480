import type { DatabaseFacts, DatabaseWanted } from './facts.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';

/** Backups are ignored for Redis and for external databases. */
export const isBackedUp = ({ backup, engine, placement }: DatabaseWanted): boolean =>
  backup && placement === 'InCluster' && (engine === 'Postgres' || engine === 'MySQL' || engine === 'SQLite');

/** How many instances must fit when it is deployed; an external database needs none. */
export function instancesNeeded(
  { placement, highAvailability, instances }: DatabaseWanted,
  { haInstances }: Pick<DatabaseLimits, 'haInstances'> = databaseLimits,
): number {
  if (placement === 'External') return 0;
  return highAvailability ? Math.max(haInstances, instances) : instances;
}

/** Whether a Job has to load a snapshot: once, and never into a database that was already in use. */
export const awaitsRestore = ({ wanted, restore }: Pick<DatabaseFacts, 'wanted' | 'restore'>): boolean =>
  wanted.restoreFrom &&
  wanted.placement === 'InCluster' &&
  (wanted.engine === 'MySQL' || wanted.engine === 'SQLite') &&
  !restore.served &&
  !restore.recorded;
