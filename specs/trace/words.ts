import type { Row } from '../../machines/table.ts';
import type { VerdictRow } from '../tables/sections.ts';

const listed = (names: readonly string[]) => names.join(', ');

/** The way of a row: from which states, by which event, to which. */
const wayText = ({ from, event, to }: Pick<Row, 'from' | 'event' | 'to'>): string => `${listed(from)} ${event} → ${to}`;

/** When a row's state is looked at again. */
export const lookText = (look: string): string =>
  look === '' ? 'never' : look === 'now' ? 'at once' : look.startsWith('at ') ? look : `after ${look}`;

/** A row in words. */
export const rowText = (row: Row): string =>
  [
    `${wayText(row)} when ${row.when}`,
    ...(row.does.length > 0 ? [`does ${listed(row.does)}`] : ['does nothing']),
    ...(row.ensures.length > 0 ? [`ensures ${listed(row.ensures)}`] : []),
    row.look === '' ? 'is not looked at again by itself' : `looks again ${lookText(row.look)}`,
    `${row.status} (${row.source})`,
  ].join('; ');

/** A row of a verdict table in words. */
export const verdictText = ({ reason, status, when, message, counts, cause, source }: VerdictRow): string =>
  `${reason} ${status} when ${when}: "${message}"${counts === '-' ? '' : `, ${counts}`}${cause === '-' ? '' : `, for ${cause}`} (${source})`;
