import type { HistoryEntry, KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { msOf } from '../../../rules/time.ts';
import { absent } from '../../../runtime/step/step.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import type { Called } from '../services/calls.ts';

/** Checks the histories of objects that operators create: each begins with its creation, and is in order. */
export interface Creations {
  readonly begun: (write: Called) => void;
  readonly check: (object: KubeObject) => readonly string[];
}

export function makeCreations(): Creations {
  const created = new Set<string>();
  return {
    begun: ({ verb, resource, name }) => {
      if (verb === 'create' && resource) created.add(`${resource.kind} ${name}`);
    },
    check: (object) => {
      const key = keyOf(object);
      const history = historyOf(object);
      const [first] = history;
      const isLate = created.has(key) && first?.seq === 1 && first.from !== absent;
      return [
        ...(first?.seq === 1 && isOther(object, first) ? [`the creation of ${key} is not the one it carries`] : []),
        ...(isLate ? [`the history of ${key} begins with ${first.machine} ${first.from} → ${first.to}`] : []),
        ...(isInOrder(history) ? [] : [`the history of ${key} is not in order: ${toldOf(history)}`]),
      ];
    },
  };
}

/** Whether an object that still carries its creation has another one in its history. */
function isOther({ metadata }: KubeObject, first: HistoryEntry): boolean {
  const carried = JSON.parse(metadata.annotations?.[annotation.move] ?? '{}') as Partial<HistoryEntry>;
  return carried.from === absent && (carried.by !== first.by || carried.at !== first.at);
}

const isInOrder = (history: readonly HistoryEntry[]): boolean =>
  history.every((move, index) => {
    const before = history[index - 1];
    return before === undefined || (move.seq > before.seq && msOf(move.at) > msOf(before.at));
  });

const toldOf = (history: readonly HistoryEntry[]): string =>
  history.map(({ seq, machine, event, at }) => `${seq} ${machine} ${event} at ${at}`).join(', ');
