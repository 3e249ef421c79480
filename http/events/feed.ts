import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { msOf } from '../../rules/time.ts';
import { entriesIn } from '../../runtime/step/entries.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { isConcerned } from '../../runtime/step/standing.ts';
import { type Controller, isOwn } from '../../runtime/contract/controller.ts';
import type { Notice, Operator } from '../../runtime/operator.ts';
import type { Instance } from '../routes/machines/shapes.ts';
import type { Tables } from '../context.ts';
import { instanceOf } from '../views/instance.ts';
import {
  instanceId,
  instanceName,
  instancesOn,
  isMoveOf,
  isShown,
  ofEntry,
  type Placed,
  placedMachines,
} from '../views/placed.ts';
import { redactedMoves, withRow } from '../views/transitions.ts';
import { type Changes, makeChanges } from './changes.ts';
import { sse } from './channel.ts';
import { makeOutlets } from './outlets.ts';

/** One event as text for the stream, with the time it is ordered by. */
export interface FeedEvent {
  readonly at: number;
  readonly chunk: string;
}

/** A deleted object, with the history that it had when last stored. */
export interface DeletedObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly at: number;
  readonly history: readonly HistoryEntry[];
}

/** The events of the instances of all machines and of every changed object, written once for all streams of a view. */
export interface Feed {
  /** Calls back with the events since the last call, as text for a view; returns the function that unsubscribes. */
  readonly subscribe: (view: View, listener: (text: string) => void) => () => void;
  /** Recently deleted objects, because their tombstones are written a little later. */
  readonly deletedObjects: () => readonly DeletedObject[];
  /** When an instance last changed, as observed by this process. */
  readonly changedAt: (machine: string, id: string) => number | undefined;
  /** The last notice of each object that changed since a time. */
  readonly changesSince: Changes['since'];
  readonly stop: () => void;
}

/** The last text that each view got of an instance. */
type SentTexts = ReadonlyMap<View, string>;

/** Long enough after a change for the pass to have set the next check. */
const settleMs = 250;
const maxDeleted = 1_000;
const maxRefreshed = 200;

const moveId = (entry: HistoryEntry, uid: string): string => `${msOf(entry.at)}.${uid}.${entry.seq}`;

export const moveEvent = (placed: Placed, entry: HistoryEntry, instance: Instance): FeedEvent => {
  const { id, kind, name, uid } = instance;
  const data = { ...withRow(placed, entry), id, name, uid, kind, instance };
  return { at: msOf(entry.at), chunk: sse('move', JSON.stringify(data), moveId(entry, uid)) };
};

export const instanceEvent = (instance: Instance): string => sse('instance', JSON.stringify(instance));

/** Each machine of an object reports the deletion, by an id of its own. */
export function deletedEvent(placed: Placed, { kind, name, uid, at, history }: DeletedObject): FeedEvent {
  const { controller, lifecycle } = placed;
  const data = { id: instanceId(placed, name), name: instanceName(placed, name), uid, kind, machine: lifecycle.name };
  const seq = (history.at(-1)?.seq ?? 0) + 1 + controller.lifecycles.indexOf(lifecycle);
  return { at, chunk: sse('deleted', JSON.stringify(data), `${at}.${uid}.${seq}`) };
}

/** Reads instances once more after their pass, because only then is the next check known. */
function makeSettling(
  operator: Operator,
  heardOf: (placed: Placed) => readonly View[],
  send: (view: View, chunk: string) => void,
) {
  const unsettled = new Map<string, { readonly placed: Placed; readonly name: string; readonly sent: SentTexts }>();
  let settling: NodeJS.Timeout | undefined;

  const settle = () => {
    settling = undefined;
    for (const { placed, name, sent } of unsettled.values()) {
      const object = operator.caches.get(placed.controller.resource, name);
      if (object && (placed.lifecycle.item?.isIn(object) === false || !isConcerned(placed.lifecycle, object))) continue;
      for (const view of object ? heardOf(placed) : []) {
        const chunk = object && instanceEvent(instanceOf(operator, placed, object, view));
        if (chunk !== undefined && chunk !== sent.get(view)) send(view, chunk);
      }
    }
    unsettled.clear();
  };

  const unsettle = (placed: Placed, name: string, sent: SentTexts) => {
    unsettled.set(keyOf(placed, name), { placed, name, sent });
    settling ??= setTimeout(settle, settleMs).unref();
  };

  return {
    unsettle,
    count: () => unsettled.size,
    has: (placed: Placed, name: string) => unsettled.has(keyOf(placed, name)),
    stop: () => clearTimeout(settling),
  };
}

/** What a feed sends with. */
interface Sending extends Pick<ReturnType<typeof makeOutlets>, 'heard' | 'send'> {
  readonly sendChange: (placed: Placed, object: KubeObject, previous: KubeObject | undefined) => void;
  readonly settling: ReturnType<typeof makeSettling>;
}

/** Sends what notices report: failing passes, another interval of checks, a change of leadership. */
function noticeHandler(
  operator: Operator,
  machines: readonly Placed[],
  { heard, send, sendChange, settling }: Sending,
): (notice: Notice) => void {
  const sendTrouble = (controller: Controller, name: string) => {
    const object = operator.caches.get(controller.resource, name);
    if (!object) return;
    for (const placed of machines)
      if (placed.controller === controller && !placed.entries) sendChange(placed, object, object);
  };
  /** A pass without a move may reschedule the next check; in a large fleet not every change of it is reported. */
  const refresh = (controller: Controller, name: string) => {
    if (heard().length === 0 || settling.count() >= maxRefreshed) return;
    for (const placed of machines)
      if (placed.controller === controller && !placed.entries && !settling.has(placed, name))
        settling.unsettle(placed, name, new Map());
  };
  /** A change of leadership changes everything that is known of passes. */
  const sendReset = () => {
    const reason = operator.isLeading() ? 'this replica leads from now on' : 'this replica leads no more';
    for (const view of heard()) send(view, sse('reset', JSON.stringify({ reason })));
  };
  return (notice) => {
    if (notice.is === 'leading') sendReset();
    else if (notice.is === 'trouble') sendTrouble(notice.controller, notice.name);
    else refresh(notice.controller, notice.name);
  };
}

export function makeFeed(operator: Operator, tables: Tables, now: () => number): Feed {
  const machines = placedMachines(operator, tables);
  const outlets = makeOutlets();
  const { heard, send, subscribe, close } = outlets;
  const changes = makeChanges(operator, outlets, now);
  const deletedObjects: DeletedObject[] = [];
  const changed = new Map<string, number>();
  const heardOf = (placed: Placed) => heard().filter((view) => isShown(placed, view));

  const settling = makeSettling(operator, heardOf, send);
  const { unsettle } = settling;

  /** Of a list, only entries that moved, changed or were removed are sent. */
  const sendEntries = (placed: Placed, object: KubeObject, previous: KubeObject | undefined) => {
    const { entries: of } = placed;
    if (of === undefined) return sendChange(placed, object, previous);
    const before = previous ? new Map(entriesIn(of, previous).map((one) => [String(one[of.key]), one])) : new Map();
    for (const one of instancesOn(placed, object)) {
      const key = one.lifecycle.item?.key ?? '';
      const entry = entriesIn(of, object).find((entry) => entry[of.key] === key);
      const isSame = JSON.stringify(before.get(key)) === JSON.stringify(entry);
      before.delete(key);
      if (!isSame) sendChange(one, object, previous);
    }
    for (const key of before.keys()) {
      const one = ofEntry(placed, String(key));
      if (one !== null) sendGone(one, object);
    }
  };

  /** An entry has left the list of its object. */
  const sendGone = (placed: Placed, object: KubeObject) => {
    const one = goneOf(placed, object, now());
    changed.delete(keyOf(placed, one.name));
    for (const view of heardOf(placed)) send(view, deletedEvent(placed, one).chunk);
  };

  const sendChange = (placed: Placed, object: KubeObject, previous: KubeObject | undefined) => {
    const { name } = object.metadata;
    changed.set(keyOf(placed, name), now());
    // A write made during a notification is reported before it, so the newest version is read from the cache.
    const newest = operator.caches.get(placed.controller.resource, name);
    const views = heardOf(placed);
    if (views.length === 0 || !newest || !isConcerned(placed.lifecycle, newest)) return;
    const { kind } = placed.controller.resource;
    const known = previous && previous.metadata.uid === object.metadata.uid ? lastSeq(previous) : 0;
    const moves = historyOf(object).filter((move) => move.seq > known && isMoveOf(placed, move));
    const sent = new Map<View, string>();
    for (const view of views) {
      const instance = instanceOf(operator, placed, newest, view);
      for (const entry of redactedMoves(kind, moves, view)) send(view, moveEvent(placed, entry, instance).chunk);
      const chunk = instanceEvent(instance);
      if (moves.length === 0) send(view, chunk);
      sent.set(view, chunk);
    }
    unsettle(placed, name, sent);
  };

  const sendDeletion = (placed: Placed, object: KubeObject) => {
    const one = goneOf(placed, object, now());
    const { name, uid } = one;
    // Each machine of the object reports its deletion.
    if (deletedObjects.at(-1)?.uid !== uid) deletedObjects.push(one);
    if (deletedObjects.length > maxDeleted) deletedObjects.shift();
    changed.delete(keyOf(placed, name));
    if (!isConcerned(placed.lifecycle, object)) return;
    for (const view of heardOf(placed)) send(view, deletedEvent(placed, one).chunk);
  };

  const unsubscribers = machines.map((placed) =>
    operator.caches.of(placed.controller.resource).onChange(({ type, object, previous, initial }) => {
      if (initial || !isOwn(placed.controller, object.metadata.name)) return;
      if (type === 'deleted') sendDeletion(placed, object);
      else sendEntries(placed, object, previous);
    }),
  );
  unsubscribers.push(operator.onNotice(noticeHandler(operator, machines, { heard, send, sendChange, settling })));

  return {
    subscribe,
    deletedObjects: () => deletedObjects,
    changedAt: (machine, id) => changed.get(`${machine} ${id}`),
    changesSince: changes.since,
    stop: () => {
      settling.stop();
      for (const unsubscribe of unsubscribers) unsubscribe();
      changes.stop();
      close();
    },
  };
}

const keyOf = (placed: Placed, name: string): string => `${placed.lifecycle.name} ${instanceId(placed, name)}`;

const lastSeq = (object: KubeObject): number => historyOf(object).at(-1)?.seq ?? 0;

const goneOf = ({ controller }: Placed, object: KubeObject, at: number): DeletedObject => {
  const { name, uid = '' } = object.metadata;
  return { kind: controller.resource.kind, name, uid, at, history: historyOf(object) };
};
