import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import { msOf } from '../../rules/time.ts';
import { historyOf } from '../../runtime/step/history.ts';
import type { Controller } from '../../runtime/lifecycle.ts';
import type { Notice, Operator } from '../../runtime/operator.ts';
import type { Instance } from '../api.ts';
import type { Tables } from '../serving.ts';
import { instanceOf } from '../views/instance.ts';
import { instanceId, type Placed, placedMachines } from '../views/placed.ts';
import { moveOf, toldMoves } from '../views/transitions.ts';
import { type Changes, makeChanges } from './changes.ts';
import { sse } from './channel.ts';
import { makeOutlets } from './outlets.ts';

/** One event as text for the stream, with the time it is ordered by. */
export interface Told {
  readonly at: number;
  readonly piece: string;
}

/** A deleted object, with the history that it had when last stored. */
export interface Departed {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly at: number;
  readonly history: readonly HistoryEntry[];
}

/** The events of the instances of all machines and of every changed object, written once for all streams of a view. */
export interface Feed {
  /** Calls back with the events since the last call, as text for a view; returns the function that unsubscribes. */
  readonly subscribe: (view: View, listener: (pieces: string) => void) => () => void;
  /** Recently deleted objects, because their tombstones are written a little later. */
  readonly departed: () => readonly Departed[];
  /** When an instance last changed, as observed by this process. */
  readonly changedAt: (machine: string, id: string) => number | undefined;
  /** The last notice of each object that changed since a time. */
  readonly changesSince: Changes['since'];
  readonly stop: () => void;
}

/** The last text that each view got of an instance. */
type Said = ReadonlyMap<View, string>;

/** Long enough after a change for the pass to have set `nextLook`. */
const settleMs = 250;
const departedKept = 1_000;
const looksTold = 200;

export const moveId = (entry: HistoryEntry, uid: string): string => `${msOf(entry.at)}.${uid}.${entry.seq}`;

export const tellMove = (entry: HistoryEntry, instance: Instance): Told => {
  const { id, kind, name, uid } = instance;
  const data = { ...moveOf(entry), id, name, uid, kind, instance };
  return { at: msOf(entry.at), piece: sse('move', JSON.stringify(data), moveId(entry, uid)) };
};

export const tellInstance = (instance: Instance): string => sse('instance', JSON.stringify(instance));

/** Each machine of an object reports the deletion, by an id of its own. */
export function tellDeparted(placed: Placed, { kind, name, uid, at, history }: Departed): Told {
  const { controller, lifecycle } = placed;
  const data = { id: instanceId(placed, name), name, uid, kind, machine: lifecycle.name };
  const seq = (history.at(-1)?.seq ?? 0) + 1 + controller.lifecycles.indexOf(lifecycle);
  return { at, piece: sse('deleted', JSON.stringify(data), `${at}.${uid}.${seq}`) };
}

export function makeFeed(operator: Operator, tables: Tables, now: () => number): Feed {
  const machines = placedMachines(operator, tables);
  const outlets = makeOutlets();
  const { heard, tell, subscribe, close } = outlets;
  const changes = makeChanges(operator, outlets, now);
  const departed: Departed[] = [];
  const changed = new Map<string, number>();
  const unsettled = new Map<string, { readonly placed: Placed; readonly name: string; readonly told: Said }>();
  let settling: NodeJS.Timeout | undefined;

  const heardOf = ({ controller }: Placed) => heard().filter((view) => isListed(controller.resource.kind, view));

  const settle = () => {
    settling = undefined;
    for (const { placed, name, told } of unsettled.values()) {
      const object = operator.caches.get(placed.controller.resource, name);
      for (const view of object ? heardOf(placed) : []) {
        const piece = object && tellInstance(instanceOf(operator, placed, object, view));
        if (piece !== undefined && piece !== told.get(view)) tell(view, piece);
      }
    }
    unsettled.clear();
  };

  /** Reads an instance once more after its pass, because only then is `nextLook` known. */
  const unsettle = (placed: Placed, name: string, told: Said) => {
    unsettled.set(keyOf(placed, name), { placed, name, told });
    settling ??= setTimeout(settle, settleMs).unref();
  };

  const tellChange = (placed: Placed, object: KubeObject, previous: KubeObject | undefined) => {
    const { name } = object.metadata;
    changed.set(keyOf(placed, name), now());
    // A write made during a notification is reported before it, so the newest version is read from the cache.
    const newest = operator.caches.get(placed.controller.resource, name);
    const views = heardOf(placed);
    if (views.length === 0 || !newest) return;
    const { kind } = placed.controller.resource;
    const known = previous && previous.metadata.uid === object.metadata.uid ? lastSeq(previous) : 0;
    const moves = historyOf(object).filter(({ seq, machine }) => seq > known && machine === placed.lifecycle.name);
    const told = new Map<View, string>();
    for (const view of views) {
      const instance = instanceOf(operator, placed, newest, view);
      for (const entry of toldMoves(kind, moves, view)) tell(view, tellMove(entry, instance).piece);
      const piece = tellInstance(instance);
      if (moves.length === 0) tell(view, piece);
      told.set(view, piece);
    }
    unsettle(placed, name, told);
  };

  const tellGone = (placed: Placed, object: KubeObject) => {
    const { name, uid = '' } = object.metadata;
    const one = { kind: placed.controller.resource.kind, name, uid, at: now(), history: historyOf(object) };
    // Each machine of the object reports its deletion.
    if (departed.at(-1)?.uid !== uid) departed.push(one);
    if (departed.length > departedKept) departed.shift();
    changed.delete(keyOf(placed, name));
    for (const view of heardOf(placed)) tell(view, tellDeparted(placed, one).piece);
  };

  const unsubscribers = machines.map((placed) =>
    operator.caches.of(placed.controller.resource).onChange(({ type, object, previous, initial }) => {
      if (initial) return;
      if (type === 'deleted') tellGone(placed, object);
      else tellChange(placed, object, previous);
    }),
  );
  const tellTrouble = (controller: Controller, name: string) => {
    const object = operator.caches.get(controller.resource, name);
    if (!object) return;
    for (const placed of machines) if (placed.controller === controller) tellChange(placed, object, object);
  };
  /** A pass without a move changes only `nextLook`; in a large fleet not every change of it is reported. */
  const tellLooked = (controller: Controller, name: string) => {
    if (heard().length === 0 || unsettled.size >= looksTold) return;
    for (const placed of machines)
      if (placed.controller === controller && !unsettled.has(keyOf(placed, name))) unsettle(placed, name, new Map());
  };
  /** A change of leadership changes everything that is known of passes. */
  const tellLeading = () => {
    const reason = operator.isLeading() ? 'this replica leads from now on' : 'this replica leads no more';
    for (const view of heard()) tell(view, sse('reset', JSON.stringify({ reason })));
  };
  const tellNotice = (notice: Notice) => {
    if (notice.is === 'leading') tellLeading();
    else if (notice.is === 'trouble') tellTrouble(notice.controller, notice.name);
    else tellLooked(notice.controller, notice.name);
  };
  unsubscribers.push(operator.onNotice(tellNotice));

  return {
    subscribe,
    departed: () => departed,
    changedAt: (machine, id) => changed.get(`${machine} ${id}`),
    changesSince: changes.since,
    stop: () => {
      clearTimeout(settling);
      for (const unsubscribe of unsubscribers) unsubscribe();
      changes.stop();
      close();
    },
  };
}

const keyOf = (placed: Placed, name: string): string => `${placed.lifecycle.name} ${instanceId(placed, name)}`;

const lastSeq = (object: KubeObject): number => historyOf(object).at(-1)?.seq ?? 0;
