import type { BackupArchiveStatus } from '../../crds/coreBackupArchive.ts';

/** What a restore asks for: a restore point, a moment, or the newest that there is. */
export interface Choice {
  readonly restorePoint?: string | undefined;
  readonly time?: string | undefined;
}

/** What was chosen when a database was first provisioned, and stays so. */
export type Chosen =
  | { readonly is: 'point'; readonly id: string }
  | { readonly is: 'time'; readonly time: string }
  | { readonly is: 'newest' };

/** A choice, settled: a database of dumps begins from the newest one unless another was named. */
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

/** As kept in an annotation, with the archive that it is of. */
export const chosenText = (archive: string, chosen: Chosen): string => JSON.stringify({ archive, ...chosen });

/** The annotation, read; null where it is of another archive or unreadable. */
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
