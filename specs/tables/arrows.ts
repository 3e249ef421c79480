import type { Row } from '../../machines/table.ts';
import { durationMs } from '../../rules/time.ts';
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
  readonly look: Look | null;
}

/** After so long, or at the moment a rate limit ends. */
export interface Look {
  readonly afterMs: number;
  readonly orReset: boolean;
}

const orReset = ' or reset';

const lookOf = ({ look }: Row): Look | null =>
  look === '' ? null : { afterMs: durationMs(look.replace(orReset, '')), orReset: look.endsWith(orReset) };

/** Every arrow of a table, absence left out. */
export function arrowsOf(table: Parsed): readonly Arrow[] {
  const states = statesOf(table);
  return table.rows.flatMap((row) =>
    fromOf(row, states).map((from) => ({
      id: row.id,
      at: `${table.file}:${row.line}`,
      from,
      event: row.event,
      to: row.to === 'same' ? from : row.to,
      does: row.does,
      ensures: row.ensures,
      look: lookOf(row),
    })),
  );
}

/** An arrow in words, for messages. */
export const arrowText = ({ id, at, from, event, to }: Arrow): string => `${id} (${at}) ${from} ${event} → ${to}`;
