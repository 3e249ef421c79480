import type { Read } from '../../../api.ts';
import { attemptsOf } from '../../model/attempts.ts';
import { hasDisk, isExternal, isShared } from '../../model/databaseSettings.ts';
import { detailOf } from '../../model/details.ts';

/** The machine of the database itself. */
export const databaseMachine = 'database';

const storageWaits = 'Storage is starting';
const storageWaitMs = 15 * 60_000;

interface Waiting {
  readonly text: string;
  readonly until: string;
}

/** Until when storage is waited for: 15 minutes from the beginning of the attempt. */
export function storageNotes(read: Read): readonly Waiting[] {
  const attempt = attemptsOf(read.status).find(({ completedAt }) => completedAt === null);
  if (read.resource.message !== storageWaits || !attempt?.startedAt) return [];
  const until = new Date(Date.parse(attempt.startedAt) + storageWaitMs).toISOString();
  return [{ text: 'The storage class is missing; failures are counted in', until }];
}

/** The views of a database, in the order of their tabs; `''` is the overview. */
export const databaseViews = [
  ['', 'Overview'],
  ['connection', 'Connection'],
  ['backups', 'Backups'],
  ['logical', 'Logical databases'],
  ['sql', 'SQL'],
  ['metrics', 'Metrics'],
  ['lifecycle', 'Lifecycle'],
  ['settings', 'Settings'],
] as const;

export type DatabaseView = (typeof databaseViews)[number][0];

const serverEngines: readonly string[] = ['Postgres', 'MySQL'];

/** Whether it holds logical databases. */
export const isServer = (read: Read): boolean =>
  !isExternal(read) && serverEngines.includes(detailOf(read.resource, 'engine'));

interface Reader {
  readonly isAdmin: boolean;
}

/** The tabs of a database as its reader has them; all that every database has while it is not read. */
export function databaseViewsFor(read: Read | null, { isAdmin }: Reader): readonly (readonly [DatabaseView, string])[] {
  const offered: Readonly<Partial<Record<DatabaseView, boolean>>> = {
    connection: isAdmin,
    backups: read !== null && hasDisk(read) && !isShared(read),
    logical: read !== null && isServer(read),
    sql: isAdmin && read !== null && !isExternal(read),
    metrics: read === null || !isExternal(read),
  };
  return databaseViews.filter(([view]) => offered[view] ?? true);
}

/** The view of an address; the overview for an unknown one. */
export const databaseViewOf = (text: string): DatabaseView => databaseViews.find(([name]) => name === text)?.[0] ?? '';
