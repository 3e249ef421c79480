import type { HistoryEntry } from '../../crds/kind.ts';
import {
  audit as auditTrace,
  type AuditFault,
  type AuditTable,
  gaps,
  type Tolerance,
} from '../../runtime/step/audit.ts';
import { counted, type Output } from '../trace/output.ts';
import type { Recorded } from './sources.ts';

/** The moves of each machine of an object; those of an entry of a list are a machine by themselves. */
function byMachine(history: readonly HistoryEntry[]): readonly (readonly HistoryEntry[])[] {
  const moves = new Map<string, readonly HistoryEntry[]>();
  for (const move of history) {
    const key = `${move.machine} ${move.item ?? ''}`;
    moves.set(key, [...(moves.get(key) ?? []), move]);
  }
  return [...moves.values()];
}

/** Everything that is wrong with the moves of one object, each machine against its table. */
export function faultsOf(
  { history, states, requeueAtMs, isPart = false }: Recorded,
  tables: ReadonlyMap<string, AuditTable>,
  tolerance: Tolerance,
): readonly AuditFault[] {
  return [
    ...(isPart ? [] : gaps(history)),
    ...byMachine(history).flatMap((moves): readonly AuditFault[] => {
      const { machine = '', item, seq = 0 } = moves[0] ?? {};
      const table = tables.get(machine);
      if (!table) return [{ is: 'illegal', seq, text: `no table is called ${machine}` }];
      const state = item === undefined ? states[machine] : undefined;
      return auditTrace(
        table,
        { moves, ...(state === undefined ? {} : { state }), ...(requeueAtMs === undefined ? {} : { requeueAtMs }) },
        tolerance,
      );
    }),
  ];
}

/** The audit of all that was recorded, for a terminal; nothing to read is no success. */
export function auditText(
  recorded: readonly Recorded[],
  tables: ReadonlyMap<string, AuditTable>,
  tolerance: Tolerance,
): Output {
  const moves = recorded.reduce((sum, { history }) => sum + history.length, 0);
  if (moves === 0) return { lines: ['nothing was audited: no move is recorded here'], exit: 1 };
  const found = recorded.flatMap(({ name, history, ...rest }) => {
    const faults = faultsOf({ name, history, ...rest }, tables, tolerance);
    return faults.length === 0 ? [] : [{ name, faults }];
  });
  const count = found.reduce((sum, { faults }) => sum + faults.length, 0);
  return {
    lines: [
      ...found.flatMap(({ name, faults }) => [name, ...faults.map(({ is, text }) => `  ${is.padEnd(8)} ${text}`)]),
      `${counted(moves, 'move')} of ${counted(recorded.length, 'object')} audited: ${count === 0 ? 'every one is an arrow of its table' : counted(count, 'fault')}`,
    ],
    exit: count === 0 ? 0 : 1,
  };
}
