import { nowhere } from '../../http/dashboard/diagram/model.ts';
import type { Row } from '../../machines/table.ts';
import type { Pictured } from './pictured.ts';

const eventsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ event }) => event))].join(', ');

/** A picture in words, for those who do not see it. */
export function describe({ model, leaving, refused }: Pictured): string {
  const sentences = [
    `States: ${model.states.join(', ')}.`,
    ...model.entries.map(
      ({ from, to, rows }) =>
        `${from === nowhere ? 'A new instance begins in' : `From ${from} to`} ${to}: ${eventsOf(rows)}.`,
    ),
    ...model.arrows.map(({ from, to, rows }) => `From ${from} to ${to}: ${eventsOf(rows)}.`),
    ...Object.entries(model.loops).map(([state, rows]) => `Stays ${state}: ${eventsOf(rows)}.`),
    ...leaving.map(({ from, events }) => `Ends from ${from}: ${events.join(', ')}.`),
    ...(refused.length === 0 ? [] : [`No instance comes of: ${refused.join(', ')}.`]),
  ];
  return sentences.join(' ');
}
