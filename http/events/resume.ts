import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import { msOf } from '../../rules/time.ts';
import { isOwn } from '../../runtime/contract/controller.ts';
import { historyOf } from '../../runtime/step/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Tombstone } from '../../runtime/services/journal.ts';
import type { Tables } from '../context.ts';
import { tombstoneInstance } from '../views/tombstone.ts';
import { instanceOf } from '../views/instance.ts';
import { instanceId, instancesOn, isMoveOf, objectsOf, type Placed, placedMachines } from '../views/placed.ts';
import { redactedMoves } from '../views/transitions.ts';
import { type DeletedObject, type Feed, type FeedEvent, deletedEvent, instanceEvent, moveEvent } from './feed.ts';

/** The position at which a returning client stopped. */
export interface Place {
  readonly at: number;
}

/**
 * Clocks of replicas differ and writes arrive out of order, so events from this long before the position are sent
 * again.
 */
export const overlapMs = 60_000;
/** How long histories of deleted objects are kept. */
const keptMs = 30 * 86_400_000;
/** With more events than this, reading everything again is faster. */
const maxSent = 10_000;

/** The position in an event id; null when the id is not ours. */
export function placeOf(id: string): Place | null {
  const [, at] = /^(\d{1,16})\.[^.\s]+\.\d{1,16}$/.exec(id) ?? [];
  return at === undefined ? null : { at: Number(at) };
}

/** The events since a position, in order of time, or why they cannot be given. */
export type Resumed =
  { readonly is: 'resumed'; readonly chunks: readonly string[] } | { readonly is: 'lost'; readonly reason: string };

interface Sources {
  readonly operator: Operator;
  readonly tables: Tables;
  readonly feed: Feed;
  readonly tombstones: readonly Tombstone[];
  readonly now: number;
  readonly view: View;
}

const lost = (reason: string): Resumed => ({ is: 'lost', reason });

/** Everything since a position: from the histories of existing and deleted objects, and from changes without a move. */
export function resumeFrom(place: Place | null, sources: Sources): Resumed {
  const { operator, tables, feed, tombstones, now, view } = sources;
  if (place === null) return lost('the id is none of this stream');
  if (place.at < now - keptMs) return lost('the id is older than what is kept');
  if (place.at > now + overlapMs) return lost('the id is of a time that has not come');
  const since = place.at - overlapMs;
  const missedEvents: FeedEvent[] = [...feed.changesSince(since, view)];
  for (const placed of placedMachines(operator, tables)) {
    const { controller } = placed;
    const { kind } = controller.resource;
    for (const object of objectsOf(operator, placed, view))
      for (const one of instancesOn(placed, object)) {
        const moves = historyOf(object).filter((move) => isMoveOf(one, move));
        if (isTornOff(moves, place.at)) return lost(`moves of ${object.metadata.name} after the id are no longer kept`);
        missedEvents.push(...missedOf(one, object, { moves, since, sources }));
      }
    if (placed.entries) continue;
    if (!isListed(kind, view)) continue;
    const gone = deletedSince(feed.deletedObjects(), tombstones, since).filter(
      (one) => one.kind === kind && isOwn(controller, one.name),
    );
    for (const one of gone) missedEvents.push(...lastOf(placed, one, { since, view }));
  }
  if (missedEvents.length > maxSent) return lost('too much happened since the id');
  return { is: 'resumed', chunks: missedEvents.toSorted((a, b) => a.at - b.at).map(({ chunk: piece }) => piece) };
}

interface Missing {
  readonly moves: readonly HistoryEntry[];
  readonly since: number;
  readonly sources: Sources;
}

/** The events of one instance since a time: its moves, or that it changed without one. */
function missedOf(
  one: Placed,
  object: KubeObject,
  { moves, since, sources: { operator, feed, view } }: Missing,
): readonly FeedEvent[] {
  const missed = moves.filter(({ at }) => msOf(at) >= since);
  const changedAt = feed.changedAt(one.lifecycle.name, instanceId(one, object.metadata.name)) ?? 0;
  if (missed.length === 0 && changedAt < since) return [];
  const instance = instanceOf(operator, one, object, view);
  if (missed.length === 0) return [{ at: changedAt, chunk: instanceEvent(instance) }];
  const { kind } = one.controller.resource;
  return redactedMoves(kind, missed, view).map((entry) => moveEvent(one, entry, instance));
}

/** Whether moves after a time are missing, because the history was trimmed and now begins later. */
function isTornOff(moves: readonly HistoryEntry[], at: number): boolean {
  const [oldest] = moves;
  return oldest !== undefined && oldest.seq > 1 && moves.length >= 20 && msOf(oldest.at) > at;
}

/** The last events of a deleted object: its moves, then its deletion. */
function lastOf(
  placed: Placed,
  deleted: DeletedObject,
  { since, view }: { readonly since: number; readonly view: View },
): readonly FeedEvent[] {
  const { kind, history } = deleted;
  const { name } = placed.lifecycle;
  // For a deleted object, only the history shows whether it took part.
  if (placed.lifecycle.concerns !== undefined && !history.some(({ machine }) => machine === name)) return [];
  const moves = history.filter(({ at, machine }) => machine === name && msOf(at) >= since);
  return [
    ...redactedMoves(kind, moves, view).map((entry) =>
      moveEvent(placed, entry, tombstoneInstance(placed, deleted, entry)),
    ),
    deletedEvent(placed, deleted),
  ];
}

/** Tombstones, and deleted objects that get one soon, each once. */
function deletedSince(
  deletedObjects: readonly DeletedObject[],
  tombstones: readonly Tombstone[],
  since: number,
): readonly DeletedObject[] {
  const all = new Map(deletedObjects.filter(({ at }) => at >= since).map((one) => [one.uid, one]));
  for (const { kind, name, uid, deletedAt, history } of tombstones)
    all.set(uid, { kind, name, uid, at: msOf(deletedAt), history });
  return [...all.values()];
}
