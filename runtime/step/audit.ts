import type { HistoryEntry } from '../../crds/kind.ts';
import type { Row } from '../../machines/table.ts';
import { msOf } from '../../rules/time.ts';

/** The event that records an external change no arrow explains. */
export const externalChange = 'movedOutside';

/** One arrow that was taken, or is about to be. */
export type ArrowTaken = Pick<HistoryEntry, 'from' | 'event' | 'to'>;

const leads = ({ from, event, to }: Row, taken: ArrowTaken): boolean =>
  event === taken.event &&
  (from.includes(taken.from) || from[0] === 'any') &&
  (to === 'same' ? taken.from : to) === taken.to;

/** The row of a table that matches an arrow, if there is one. */
export const rowTaken = (rows: readonly Row[], taken: ArrowTaken): Row | undefined =>
  rows.find((row) => leads(row, taken));

/** The table of one machine, as far as a trace is audited against it. */
export interface AuditTable {
  /** The file of its rows, for an audit that has the sources. */
  readonly file?: string;
  readonly states: readonly string[];
  readonly rows: readonly Row[];
  readonly absence: readonly Row[];
  readonly deadlines: readonly { readonly state: string; readonly atMostMs: number }[];
}

/** The moves of one machine of one object, oldest first, with its state and due pass. */
export interface Trace {
  readonly moves: readonly HistoryEntry[];
  /** Its current state; absent for a deleted object. */
  readonly state?: string;
  /** When its next pass is due, in ms since the epoch. */
  readonly requeueAtMs?: number;
}

export interface AuditFault {
  readonly is: 'illegal' | 'outside' | 'broken' | 'gap' | 'time' | 'late' | 'overrun';
  /** Number of the move it is about; 0 for the trace as a whole. */
  readonly seq: number;
  readonly text: string;
}

/** How exactly times are checked: clocks differ, and an operator may restart. */
export interface Tolerance {
  readonly now: number;
  readonly lateMs: number;
}

/** The number of moves of each machine that an object keeps at least; the loss of older ones is no fault. */
const kept = 20;

/** Finds the faults of a trace: steps outside the table, missing moves, impossible times. */
export function audit(table: AuditTable, trace: Trace, tolerance: Tolerance): readonly AuditFault[] {
  const { moves } = trace;
  const rows = [...table.rows, ...table.absence];
  return [
    ...moves.flatMap((move, index) => [
      ...stepFaults(table, rows, move),
      ...orderFaults(moves[index - 1], move),
      ...timeFaults(table, moves[index - 1], move, tolerance),
    ]),
    ...endFaults(table, trace, tolerance),
  ];
}

function stepFaults({ states, file }: AuditTable, rows: readonly Row[], move: HistoryEntry): readonly AuditFault[] {
  const { seq, from, event, to, by, at } = move;
  if (event === externalChange)
    return [
      { is: 'outside', seq, text: `${from} → ${to} at ${at} was written from outside and is no arrow of the table` },
    ];
  if (states.includes(from) && rowTaken(rows, move)) return [];
  const placed = ({ id, line }: Row) => (file === undefined ? id : `${id} (${file}:${line})`);
  const known = rows.filter((row) => row.event === event).map(placed);
  const hint = known.length === 0 ? 'no row has this event' : `rows with this event: ${known.join(', ')}`;
  return [{ is: 'illegal', seq, text: `${from} ${event} → ${to} by ${by} at ${at} is no arrow of the table; ${hint}` }];
}

function orderFaults(before: HistoryEntry | undefined, { seq, from, at }: HistoryEntry): readonly AuditFault[] {
  if (!before) return [];
  const faults: AuditFault[] = [];
  if (from !== before.to)
    faults.push({ is: 'broken', seq, text: `move ${seq} begins in ${from}, the move before it led to ${before.to}` });
  if (!(msOf(at) > msOf(before.at)))
    faults.push({
      is: 'time',
      seq,
      text: `move ${seq} is of ${at}, not later than ${before.at} of the move before it`,
    });
  return faults;
}

/**
 * Moves missing from the history of one object, over all its machines: they are numbered from 1, and only the oldest
 * moves of a machine whose history is full may be missing.
 */
export function gaps(history: readonly HistoryEntry[]): readonly AuditFault[] {
  const machines = [...new Set(history.map(({ machine }) => machine))];
  const ofEach = machines.map((name) => history.filter(({ machine }) => machine === name));
  // Machines of list entries keep more: the moves of entries in progress, with gaps before the newest.
  const prunedUpTo = ofEach.filter((moves) => moves.length >= kept).map((moves) => moves.at(-kept)?.seq ?? 0);
  const from = Math.max(0, ...prunedUpTo);
  const numbered = history.filter(({ seq }) => seq >= from);
  return numbered.flatMap(({ seq }, index): readonly AuditFault[] => {
    const before = index === 0 ? Math.max(from - 1, 0) : (numbered[index - 1]?.seq ?? 0);
    if (seq === before + 1) return [];
    const missing = seq - before - 1;
    const text =
      seq > before
        ? `${missing} ${missing === 1 ? 'move is' : 'moves are'} missing before move ${seq}`
        : `move ${seq} comes after move ${before}`;
    return [{ is: 'gap', seq, text }];
  });
}

const durationText = (ms: number) => `${Math.round(ms / 1000)} s`;

function timeFaults(
  table: AuditTable,
  before: HistoryEntry | undefined,
  move: HistoryEntry,
  { now, lateMs }: Tolerance,
): readonly AuditFault[] {
  const { seq, at } = move;
  const faults: AuditFault[] = [];
  if (!(msOf(at) <= now + lateMs))
    faults.push({ is: 'time', seq, text: `move ${seq} is of ${at}, which is still to come` });
  if (!before) return faults;
  const stayed = msOf(at) - msOf(before.at);
  const due = dueMs(table, before);
  if (due !== null && stayed > due + lateMs)
    faults.push({
      is: 'late',
      seq,
      text: `${before.to} was to be checked ${durationText(due)} after ${before.at}, move ${seq} came after ${durationText(stayed)}`,
    });
  return [...faults, ...overrun(table, before, { seq, stayed, lateMs })];
}

/** When a pass must make a move: at once, after a row that promises it, in a state where every pass leaves a trace. */
const dueMs = ({ rows }: AuditTable, before: HistoryEntry): number | null =>
  rowTaken(rows, before)?.look === 'now' && !rows.some((row) => requeuesOnly(row, before.to)) ? 0 : null;

/** Whether a pass over a state may find nothing to record: one that only checks, or one that waits for an event. */
const requeuesOnly = ({ from, to, does, look }: Row, state: string): boolean =>
  from.includes(state) && does.length === 0 && (to === 'same' || (to === state && look === ''));

interface Stay {
  readonly seq: number;
  readonly stayed: number;
  readonly lateMs: number;
}

function overrun(
  { deadlines }: AuditTable,
  entered: HistoryEntry,
  { seq, stayed, lateMs }: Stay,
): readonly AuditFault[] {
  return deadlines
    .filter(({ state, atMostMs }) => state === entered.to && stayed > atMostMs + lateMs)
    .map(({ state, atMostMs }) => ({
      is: 'overrun',
      seq,
      text: `${state} lasts ${durationText(atMostMs)} at most, it lasted ${durationText(stayed)} from ${entered.at}`,
    }));
}

/** The last move must lead to the current state, and a pass that was due must have happened. */
function endFaults(
  table: AuditTable,
  { moves, state, requeueAtMs }: Trace,
  tolerance: Tolerance,
): readonly AuditFault[] {
  const { now, lateMs } = tolerance;
  const last = moves.at(-1);
  const faults: AuditFault[] = [];
  if (last && state !== undefined && last.to !== state)
    faults.push({ is: 'broken', seq: last.seq, text: `it stands in ${state}, its last move led to ${last.to}` });
  if (last && state !== undefined)
    faults.push(...overrun(table, last, { seq: last.seq, stayed: now - msOf(last.at), lateMs }));
  if (requeueAtMs !== undefined && now > requeueAtMs + lateMs)
    faults.push({
      is: 'late',
      seq: last?.seq ?? 0,
      text: `it was to be checked ${durationText(now - requeueAtMs)} ago`,
    });
  return faults;
}
