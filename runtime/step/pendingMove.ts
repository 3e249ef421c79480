import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { msOf } from '../../rules/time.ts';
import { paramsIn } from '../../rules/words.ts';
import { absent } from './step.ts';
import { historyOf } from './history.ts';
import { merged } from './mergePatch.ts';

/**
 * A move in an annotation: a state in spec or annotations cannot be written together with the history, which is in the
 * status, so the next status write enters the move.
 */
interface Carried extends HistoryEntry {
  /** The object of the move, so that a copied annotation has no effect; absent in the move of a creation. */
  readonly uid?: string;
}

/** Adds the annotation that carries a move. */
export const withPendingMove = <O extends KubeObject>(object: O, move: HistoryEntry): O =>
  merged(object, { metadata: { annotations: { [annotation.move]: textOf(move, object.metadata.uid) } } });

const textOf = (move: HistoryEntry, uid: string | undefined): string =>
  JSON.stringify({ ...(uid === undefined ? {} : { uid }), ...move } satisfies Carried);

/** The move that an annotation carries and the history lacks; null when there is none. */
export function pendingMoveOf(object: KubeObject, machine: string): HistoryEntry | null {
  const carried = read(object);
  if (carried === null) return null;
  const { uid, ...move } = carried;
  const known = historyOf(object).at(-1)?.seq ?? 0;
  return uid === object.metadata.uid && move.machine === machine && move.seq > known ? move : null;
}

/** The annotation of a creation's move with the new uid added; null when there is no such move. */
export function createdMoveText(object: KubeObject): string | null {
  const carried = read(object);
  if (carried === null || carried.uid !== undefined || carried.from !== absent) return null;
  return historyOf(object).length > 0 ? null : textOf(carried, object.metadata.uid);
}

/** Parses the annotation; null when it is not a valid move, because any client may have written it. */
function read({ metadata }: KubeObject): Carried | null {
  const text = metadata.annotations?.[annotation.move];
  if (text === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return isMove(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const requiredTexts = ['machine', 'from', 'event', 'to', 'by', 'at', 'text'];
const optionalTexts = ['uid', 'item', 'rule'];

function isMove(value: unknown): value is Carried {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(fields['seq']) &&
    requiredTexts.every((name) => typeof fields[name] === 'string') &&
    optionalTexts.every((name) => ['undefined', 'string'].includes(typeof fields[name])) &&
    (fields['params'] === undefined || paramsIn(fields['params']) !== undefined) &&
    !Number.isNaN(msOf(String(fields['at'])))
  );
}
