import { createHash } from 'node:crypto';
import { ApiFailure } from '../../apiClient/failure.ts';

/** The last item of a page: its id, and what the list is ordered by. */
export interface Place {
  readonly id: string;
  readonly key: string;
}

const digestOf = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 12);

/** A cursor that leads on from a place; it is good for this list alone. */
export const cursorOf = (list: string, { id, key }: Place): string =>
  Buffer.from(JSON.stringify([digestOf(list), id, key])).toString('base64url');

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** The place of a cursor that was given for this list; any other is refused. */
export function placeOf(list: string, cursor: string): Place {
  const [digest, id, key] = partsOf(cursor);
  if (digest === digestOf(list) && typeof id === 'string' && typeof key === 'string') return { id, key };
  throw new ApiFailure('cursor is of another list: begin without one', 400);
}
