import type { Row } from '../../machines/table.ts';
import { durationMs, durationText } from '../../rules/time.ts';
import { fromOf, type Parsed, statesOf } from './parse.ts';

/** One arrow of a table: a row taken apart, from one state. */
export interface Arrow {
  readonly id: string;
  /** `file:line` of the row. */
  readonly at: string;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly does: readonly string[];
  readonly ensures: readonly string[];
  /** As written: empty, `now`, `5s`, `15s or reset`, `at limit`. */
  readonly look: string;
  /** Whether it leads from or to absence. */
  readonly absent: boolean;
}

/** Every arrow of a table; those from and to absence come last. */
export function arrowsOf(table: Parsed): readonly Arrow[] {
  const states = statesOf(table);
  const taken = (absent: boolean) => (row: Row) =>
    fromOf(row, states).map((from) => ({
      id: row.id,
      at: `${table.file}:${row.line}`,
      from,
      event: row.event,
      to: row.to === 'same' ? from : row.to,
      does: row.does,
      ensures: row.ensures,
      look: row.look,
      absent,
    }));
  return [...table.rows.flatMap(taken(false)), ...table.absence.flatMap(taken(true))];
}

interface LookOfRule {
  readonly afterMs?: number;
  readonly reset?: unknown;
  readonly at?: string;
}

/** Whether a rule looks again when its row says. */
export function sameLook(written: string, look: LookOfRule | undefined): boolean {
  if (written === '') return look === undefined;
  if (look === undefined) return false;
  if (written.startsWith('at ')) return look.at === written.slice('at '.length);
  const orReset = written.endsWith(' or reset');
  return look.afterMs === durationMs(written.replace(' or reset', '')) && orReset === (look.reset !== undefined);
}

/** 5000 → `5s`; what is no whole number of seconds is told in ms. */
export const exactDuration = (ms: number): string => (ms % 1_000 === 0 ? durationText(ms) : `${ms} ms`);

/** When a rule looks again, in the words of a row. */
export function lookText(look: LookOfRule | undefined): string {
  if (look === undefined) return 'never';
  if (look.at !== undefined) return `at ${look.at}`;
  const { afterMs = 0, reset } = look;
  return `${afterMs === 0 ? 'now' : exactDuration(afterMs)}${reset === undefined ? '' : ' or reset'}`;
}

/** An arrow in words, for messages. */
export const arrowText = ({ id, from, event, to }: Arrow): string => `${id} ${from} ${event} → ${to}`;
