import type { Read } from '../../api.ts';
import type { RecoveryWindow } from './backups.ts';
import { detailOf, fieldsIn, textIn } from './details.ts';

/** A moment in UTC, to the second: only such a one can be typed between two close ones. */
export const utcSecond = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** The moments of a window that can be typed, as a field of date and time has them: whole seconds within it. */
export const typedBounds = ({ start, end }: RecoveryWindow): { readonly min: string; readonly max: string } => ({
  min: new Date(Math.ceil(Date.parse(start) / 1000) * 1000).toISOString().slice(0, 19),
  max: end.slice(0, 19),
});

/** What is chosen in the dialog that restores. */
export interface Restore {
  readonly environment: string;
  readonly name: string;
  readonly from: 'newest' | 'point' | 'moment';
  readonly point: string;
  /** In UTC, as a field of date and time has it: `2026-11-21T14:00`, with seconds where there are some. */
  readonly moment: string;
}

/** Only Postgres is restored to a moment between two points. */
export const hasMoments = (archive: Read): boolean => detailOf(archive.resource, 'engine') === 'Postgres';

/** The dialog as it opens: the environment of the original, where that still is. */
export const emptyRestore = ({ resource }: Read, environments: readonly string[]): Restore => ({
  environment: environments.includes(resource.environment) ? resource.environment : '',
  name: '',
  from: 'newest',
  point: '',
  moment: '',
});

/** Between which moments one can be chosen. */
export function boundsWord(window: RecoveryWindow): string {
  const { min, max } = typedBounds(window);
  return `from ${utcSecond(min)} to ${utcSecond(max)}`;
}

const momentShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const timeOf = (moment: string): string => `${moment.length === 16 ? `${moment}:00` : moment}Z`;

/** Why what is chosen cannot be restored; null where it can. */
export function restoreProblem({ environment, from, point, moment }: Restore, window: RecoveryWindow): string | null {
  if (environment === '') return 'Choose the environment of the new database.';
  if (from === 'point' && point === '') return 'Choose a restore point.';
  if (from !== 'moment') return null;
  if (!momentShape.test(moment)) return 'Type a day and a time.';
  const at = Date.parse(timeOf(moment));
  return at < Date.parse(window.start) || at > Date.parse(window.end) ? `Choose a moment ${boundsWord(window)}.` : null;
}

const momentOf = ({ from, point, moment }: Restore) => {
  if (from === 'point') return { restorePoint: point };
  return from === 'moment' ? { time: timeOf(moment) } : {};
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
