import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { msOf } from '../../rules/time.ts';
import { historyOf } from '../../runtime/history.ts';
import type { Controller } from '../../runtime/lifecycle.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { Instance } from '../api.ts';
import type { Tables } from '../serving.ts';
import { instanceOf } from '../views/instance.ts';
import { type Placed, placedMachines } from '../views/placed.ts';
import { moveOf } from '../views/transitions.ts';
import { sse } from './channel.ts';

/** One event in the words of the stream, with the time it is ordered by. */
export interface Told {
  readonly at: number;
  readonly piece: string;
}

/** An object that is gone, with the history it had. */
export interface Departed {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly at: number;
  readonly history: readonly HistoryEntry[];
}

/** What happens to the instances of all machines, told once for all streams. */
export interface Feed {
  /** Called with what happened since the last call, as text; returns the unsubscriber. */
  readonly subscribe: (listener: (pieces: string) => void) => () => void;
  /** Objects that went lately, since what is written of them elsewhere comes a little later. */
  readonly departed: () => readonly Departed[];
  /** Instances that changed at or after a time without a move being told of. */
  readonly changedSince: (ms: number) => readonly Told[];
  readonly stop: () => void;
}

/** How long after a change the pass has surely said when it looks again. */
const settleMs = 250;
const departedKept = 1_000;

export const moveId = (entry: HistoryEntry, uid: string): string => `${msOf(entry.at)}.${uid}.${entry.seq}`;

export const tellMove = (kind: string, object: KubeObject, entry: HistoryEntry, instance: Instance): Told => {
  const { name, uid = '' } = object.metadata;
  const data = { ...moveOf(entry), name, uid, kind, instance };
  return { at: msOf(entry.at), piece: sse('move', JSON.stringify(data), moveId(entry, uid)) };
};

export const tellDeparted = ({ kind, name, uid, at, history }: Departed, machine: string): Told => ({
  at,
  piece: sse('deleted', JSON.stringify({ name, uid, kind, machine }), `${at}.${uid}.${(history.at(-1)?.seq ?? 0) + 1}`),
});

export function makeFeed(operator: Operator, tables: Tables, now: () => number): Feed {
  const machines = placedMachines(operator, tables);
  const listeners = new Set<(pieces: string) => void>();
  const departed: Departed[] = [];
  const changed = new Map<string, { at: number; readonly placed: Placed; readonly name: string; told: string }>();
  const unsettled = new Set<string>();
  let waiting: string[] = [];
  let settling: NodeJS.Timeout | undefined;

  const flush = () => {
    const pieces = waiting.join('');
    waiting = [];
    for (const listener of listeners) listener(pieces);
  };
  /** What happens in one turn goes out in one write. */
  const tell = (piece: string) => {
    if (listeners.size === 0) return;
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(piece);
  };

  const instancePiece = (instance: Instance) => sse('instance', JSON.stringify(instance));

  const settle = () => {
    settling = undefined;
    for (const key of unsettled) {
      const one = changed.get(key);
      const object = one && operator.caches.get(one.placed.controller.resource, one.name);
      if (!one || !object) continue;
      const instance = instanceOf(operator, one.placed, object);
      const text = JSON.stringify(instance);
      if (text !== one.told) tell(instancePiece(instance));
      one.told = text;
    }
    unsettled.clear();
  };

  /** Enters that an instance changed, and looks at it once more when the pass is over. */
  const enter = (placed: Placed, object: KubeObject, told: string) => {
    const { name } = object.metadata;
    const key = `${placed.lifecycle.name} ${name}`;
    changed.set(key, { at: now(), placed, name, told });
    unsettled.add(key);
    settling ??= setTimeout(settle, settleMs).unref();
  };

  const tellChange = (placed: Placed, object: KubeObject, previous: KubeObject | undefined) => {
    const instance = instanceOf(operator, placed, object);
    const known = previous && previous.metadata.uid === object.metadata.uid ? lastSeq(previous) : 0;
    const moves = historyOf(object).filter(({ seq, machine }) => seq > known && machine === placed.lifecycle.name);
    for (const entry of moves) tell(tellMove(placed.controller.resource.kind, object, entry, instance).piece);
    if (moves.length === 0) tell(instancePiece(instance));
    enter(placed, object, JSON.stringify(instance));
  };

  const tellGone = ({ controller, lifecycle }: Placed, { metadata, ...object }: KubeObject) => {
    const { name, uid = '' } = metadata;
    const one = { kind: controller.resource.kind, name, uid, at: now(), history: historyOf({ metadata, ...object }) };
    departed.push(one);
    if (departed.length > departedKept) departed.shift();
    changed.delete(`${lifecycle.name} ${name}`);
    tell(tellDeparted(one, lifecycle.name).piece);
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
  unsubscribers.push(operator.onTrouble(tellTrouble));

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    departed: () => departed,
    changedSince: (ms) =>
      [...changed.values()].flatMap(({ at, placed, name }) => {
        const object = at < ms ? undefined : operator.caches.get(placed.controller.resource, name);
        return object ? [{ at, piece: instancePiece(instanceOf(operator, placed, object)) }] : [];
      }),
    stop: () => {
      clearTimeout(settling);
      for (const unsubscribe of unsubscribers) unsubscribe();
      listeners.clear();
    },
  };
}

const lastSeq = (object: KubeObject): number => historyOf(object).at(-1)?.seq ?? 0;
