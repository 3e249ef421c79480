import type { BackupArchiveStatus } from '../../crds/coreBackupArchive.ts';

/** A requested restore: a restore point, a time, or the newest. */
export interface Choice {
  readonly restorePoint?: string | undefined;
  readonly time?: string | undefined;
}

/** The choice settled when a database was first provisioned. */
export type Chosen =
  | { readonly is: 'point'; readonly id: string }
  | { readonly is: 'time'; readonly time: string }
  | { readonly is: 'newest' };

/** Settles a choice: a database of dumps starts from the newest one unless another was named. */
export function chosenOf(
  { restorePoint, time }: Choice,
  engine: string,
  { restorePoints = [] }: Pick<BackupArchiveStatus, 'restorePoints'>,
): Chosen | null {
  if (restorePoint !== undefined) return { is: 'point', id: restorePoint };
  if (time !== undefined) return { is: 'time', time };
  if (engine === 'Postgres') return { is: 'newest' };
  const [newest] = restorePoints;
  return newest === undefined ? null : { is: 'point', id: newest.id };
}

/** The text of a choice in an annotation, with its archive. */
export const chosenText = (archive: string, chosen: Chosen): string => JSON.stringify({ archive, ...chosen });

/** Parses the annotation; null when it is of another archive or unreadable. */
export function chosenIn(text: string | undefined, archive: string): Chosen | null {
  const read = parsed(text ?? '');
  if (read['archive'] !== archive) return null;
  const { is, id, time } = read;
  if (is === 'point' && typeof id === 'string') return { is, id };
  if (is === 'time' && typeof time === 'string') return { is, time };
  return is === 'newest' ? { is } : null;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as Readonly<Record<string, unknown>> | null) ?? {};
  } catch {
    return {};
  }
}
