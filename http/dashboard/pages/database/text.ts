import type { Dependent, Summary } from '../../../api.ts';
import { countedSome } from '../../model/deletion.ts';
import { detailOf, fieldsIn, textIn } from '../../model/details.ts';

interface Dependents {
  /** Logical databases on the server. */
  readonly logical: readonly string[];
  /** Services that take values of its connection. */
  readonly services: readonly string[];
}

const isElsewhere = (database: Summary): boolean => detailOf(database, 'placement') === 'External';
const keepsData = (database: Summary): boolean => detailOf(database, 'engine') !== 'Redis';

const dataWord = (database: Summary): string =>
  keepsData(database) ? 'all its data, on every disk' : 'everything that it holds in memory';

/** What goes with a database. */
export const databaseGoes = (database: Summary, { logical }: Dependents): readonly string[] => [
  ...(isElsewhere(database) ? [] : [dataWord(database), 'its pods, its address and its passwords']),
  'its connection Secret',
  ...countedSome('logical database', logical),
];

/** Whether it has backups that are kept once it is gone. */
const isBackedUp = (database: Summary): boolean => textIn(fieldsIn(database.details['backup'])['archive']) !== '';

const keptMs = 7 * 86_400_000;

/** Until when at least its backups are kept once it is stopped or deleted; nothing where it has none. */
export const keptAfter = (database: Summary, now: number): { readonly keptUntil?: string } =>
  isBackedUp(database) ? { keptUntil: new Date(now + keptMs).toISOString() } : {};

/** What outlives it. */
export const databaseStays = (database: Summary): readonly string[] => [
  ...(isBackedUp(database)
    ? ['its backups, for 7 days; a last one is taken first, which the deletion waits for up to ten minutes']
    : []),
  ...(isElsewhere(database) ? ['the database itself, which runs elsewhere'] : []),
  ...(detailOf(database, 'provider') === 'ManagedDb' ? ['its data at the provider'] : []),
  'its history, for 30 days',
];

/** Everything that uses it and is not deleted with it: services are named first. */
export const usersOf = ({ services, logical }: Dependents): readonly string[] => [
  ...services.map((name) => `service ${name}`),
  ...logical.map((name) => `logical database ${name}`),
];

/** What is lost by a stop. Only MySQL keeps its disk, and with it the password that the disk knows. */
export function stopGoes(database: Summary): readonly string[] {
  if (isElsewhere(database)) return ['its connection Secret'];
  const isKept = detailOf(database, 'engine') === 'MySQL';
  return ['its pods and its address', ...(isKept ? [] : [dataWord(database)])];
}

/** What a stop leaves. */
export const stopStays = (database: Summary): readonly string[] => [
  ...(detailOf(database, 'engine') === 'MySQL' && !isElsewhere(database) ? ['its disk, and the data on it'] : []),
  ...(isBackedUp(database) ? ['its backups, for 7 days'] : []),
  'its settings, as a draft',
];

/** When it was last backed up: null for never, undefined for what has no backups. */
export function lastBackupOf(database: Summary): string | null | undefined {
  const backup = database.details['backup'];
  if (backup === null || backup === undefined) return undefined;
  return textIn(fieldsIn(backup)['lastBackupTime']) || null;
}

/** The names of what depends on something in one way. */
export const namesBy = (by: Dependent['by'], dependents: readonly Dependent[]): readonly string[] =>
  dependents.filter((one) => one.by === by).map(({ name }) => name);
export const noLogicalDatabaseText = 'Each is a database of its own on this server.';
export const backupsOffHelp = 'Turned on, the database can be restored to any day that is kept.';
export const beingDeleted = 'The database is being deleted.';
