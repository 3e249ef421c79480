import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { withPendingMove } from './pendingMove.ts';
import { nextMoveAt, nextSeq, withEntered } from './history.ts';
import type { AnyLifecycle, BaseFacts, Fields } from '../contract/lifecycle.ts';
import { isEmpty, merged } from './mergePatch.ts';
import type { CacheReader } from '../cache/reader.ts';
import { objectPatch, statusPatch, withStatus } from './status.ts';
import { absent, gone, type Move } from './step.ts';

/** Who moved an object, and over which facts. */
export interface Cause {
  readonly by: string;
  readonly facts: BaseFacts;
  readonly reader: CacheReader;
}

/** The content of a history entry; a move without a rule is an external change. */
export type EntryContent = Pick<Move, 'from' | 'event' | 'to' | 'text' | 'params'> & Partial<Pick<Move, 'rule'>>;

/** Sets fields of the status, of the machine's list entry, or of the object, depending on the storage. */
function withOwn({ storage: kept, item }: AnyLifecycle, object: KubeObject, fields: Fields): KubeObject {
  if (isEmpty(fields)) return object;
  if (item !== undefined) return withStatus(object, item.placed(object, fields));
  return kept === 'object' ? merged(object, fields) : withStatus(object, fields);
}

/** Writes the fields of one arrow into an object, without a history entry. */
export function withFields(
  lifecycle: AnyLifecycle,
  object: KubeObject,
  { to, actions, text }: Pick<Move, 'to' | 'actions' | 'text'>,
  { facts, reader }: Cause,
): KubeObject {
  const stays = to === lifecycle.read(object) || to === gone || to === absent;
  const after = actions.reduce(
    (moved, action) => {
      const acting = { object, facts, text, reader, at: nextMoveAt(object, facts.now), moved };
      return withOwn(lifecycle, moved, lifecycle.actions[action]?.patch?.(acting) ?? {});
    },
    withOwn(lifecycle, object, stays ? {} : lifecycle.write(to, object)),
  );
  const isRemoved = lifecycle.item !== undefined && (to === gone || to === absent);
  return isRemoved ? withStatus(after, lifecycle.item.removed(after)) : after;
}

/** Adds a move to the history; if it changed spec or annotations, an annotation carries it, too. */
export function withEntry(
  { name: machine, item }: AnyLifecycle,
  { before, after }: { readonly before: KubeObject; readonly after: KubeObject },
  { from, event, to, rule, text, params }: EntryContent,
  { by, facts }: Cause,
): KubeObject {
  const entry: HistoryEntry = {
    seq: nextSeq(after),
    machine,
    ...(item === undefined ? {} : { item: item.key }),
    from,
    event,
    to,
    ...(rule === undefined ? {} : { rule }),
    by,
    at: nextMoveAt(after, facts.now),
    text,
    ...(params === undefined ? {} : { params }),
  };
  const entered = withEntered(after, entry, (state) => item?.isOverIn(state) ?? true);
  return objectPatch(before, after) === null ? entered : withPendingMove(entered, entry);
}

/** Applies the first move to a new object; its entry covers all fields, because nothing existed before. */
export function withFirstMove(lifecycle: AnyLifecycle, asked: KubeObject, move: Move, cause: Cause): KubeObject {
  const before = { metadata: asked.metadata };
  return withEntry(lifecycle, { before, after: withFields(lifecycle, asked, move, cause) }, move, cause);
}

/**
 * Applies one move. A self-loop that changes no field leaves the object and its history unchanged; a list entry that is
 * not created gets no history.
 */
export function apply(lifecycle: AnyLifecycle, object: KubeObject, move: Move, cause: Cause): KubeObject {
  const after = withFields(lifecycle, object, move, cause);
  if (lifecycle.item !== undefined && move.from === absent && move.to === absent) return after;
  const stays = move.to === move.from && statusPatch(object, after) === null && objectPatch(object, after) === null;
  return stays ? object : withEntry(lifecycle, { before: object, after }, move, cause);
}
