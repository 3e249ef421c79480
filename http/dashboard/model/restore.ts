import type { Read } from '../../api.ts';
import type { RecoveryWindow } from './backups.ts';
import { detailOf, fieldsIn, textIn } from './details.ts';
import { fieldMs, fieldTime } from './time.ts';

/** The moments of a window that can be typed, as a field of date and time has them: whole seconds within it. */
export const typedBounds = ({ start, end }: RecoveryWindow): { readonly min: string; readonly max: string } => ({
  min: fieldTime(Math.ceil(Date.parse(start) / 1000) * 1000),
  max: fieldTime(Date.parse(end)),
});

/** What is chosen in the dialog that restores. */
export interface Restore {
  readonly environment: string;
  readonly name: string;
  readonly from: 'newest' | 'point' | 'moment';
  readonly point: string;
  /** As a field of date and time has it: `2026-11-21T14:00`, with seconds where there are some. */
  readonly moment: string;
}

/** Only Postgres is restored to a moment between two points. */
export const hasMoments = (archive: Read): boolean => detailOf(archive.resource, 'engine') === 'Postgres';

const maxNameLength = 36;

/** What is in each name that a restored database may get, whatever its number. */
export const restoredStem = ({ resource }: Read): string => {
  const database = restoredFrom(resource);
  const shortest = database.slice(0, maxNameLength - '-restored-9999'.length);
  return shortest === database ? `${database}-restored` : shortest;
};

/** What a restored database is called: after its original, by the first number that nobody has. */
function restoredName(database: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '-restored' : `-restored-${number}`;
    const name = `${database.slice(0, maxNameLength - end.length)}${end}`;
    if (!taken.includes(name)) return name;
  }
}

/** The database that an archive is of. */
const restoredFrom = (archive: Read['resource']): string => detailOf(archive, 'database') || archive.name;

/** What is there when a database is restored. */
export interface RestoreInput {
  readonly environments: readonly string[];
  /** The names of databases. */
  readonly taken: readonly string[];
  readonly window: RecoveryWindow;
}

/** The dialog as it opens: all of it filled in, but for an environment that is gone. */
export const usualRestore = ({ resource }: Read, { environments, taken, window }: RestoreInput): Restore => ({
  environment: environments.includes(resource.environment) ? resource.environment : '',
  name: restoredName(restoredFrom(resource), taken),
  from: 'newest',
  point: window.points[0]?.id ?? '',
  moment: typedBounds(window).max,
});

/** Between which moments one can be chosen. */
export function boundsWord(window: RecoveryWindow): string {
  const { min, max } = typedBounds(window);
  return `from ${min.replace('T', ' ')} to ${max.replace('T', ' ')}`;
}

const momentShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const timeOf = (moment: string): number => fieldMs(moment.length === 16 ? `${moment}:00` : moment);

/** Why what is chosen cannot be restored; null where it can. */
export function restoreProblem({ environment, from, point, moment }: Restore, window: RecoveryWindow): string | null {
  if (environment === '') return 'Choose the environment of the new database.';
  if (from === 'point' && point === '') return 'Choose a restore point.';
  if (from !== 'moment') return null;
  if (!momentShape.test(moment)) return 'Type a day and a time.';
  const at = timeOf(moment);
  return at < Date.parse(window.start) || at > Date.parse(window.end) ? `Choose a moment ${boundsWord(window)}.` : null;
}

const momentOf = ({ from, point, moment }: Restore) => {
  if (from === 'point') return { restorePoint: point };
  return from === 'moment' ? { time: new Date(timeOf(moment)).toISOString().replace('.000Z', 'Z') } : {};
};

/** The body of the request that makes a new database from an archive. */
export const restoreBody = ({ resource }: Read, chosen: Restore) => ({
  archive: resource.name,
  project: resource.project,
  environment: chosen.environment,
  ...(chosen.name === '' ? {} : { name: chosen.name }),
  ...momentOf(chosen),
});

/** Why an environment is asked for; empty where that of the original is still there. */
export const environmentGone = ({ resource }: Read, environments: readonly string[]): string =>
  environments.includes(resource.environment) ? '' : `The environment ${resource.environment} is gone.`;

/** What is made of an archive: beside the original, which is not touched, or of what it left. */
export const restoreMakes = ({ resource, spec }: Read): string => {
  const { engine, version, storageSize } = fieldsIn(spec['source']);
  const named = [textIn(engine) || detailOf(resource, 'engine'), textIn(version)].filter((word) => word !== '');
  const disk = textIn(storageSize);
  const name = detailOf(resource, 'database');
  const from =
    detailOf(resource, 'deleteAfter') === '' ? `beside ${name}, which is not touched` : `from the backups of ${name}`;
  return `Makes a new ${named.join(' ') || 'database'}${disk === '' ? '' : ` with ${disk} of storage`}, with backups, ${from}.`;
};
