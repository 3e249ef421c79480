import { nowhere } from '../../http/dashboard/diagram/model.ts';
import { subtitleOf } from '../../http/dashboard/model/state.ts';
import type { Row } from '../../machines/table.ts';
import type { Pictured } from './pictured.ts';

const eventsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ event }) => event))].join(', ');
/** A name with its words apart: `FailedBeforeJob` is `Failed before its Job`. */
const wordsOf = (state: string) => (subtitleOf(state) === '' ? state : `Failed ${subtitleOf(state)}`);

/** A lifecycle as a Mermaid state diagram: every event of the table is on an arrow. */
export function mermaidOf({ title, model, leaving, refused }: Pictured): string {
  const outside = [...new Set(model.entries.map(({ from }) => from).filter((from) => from !== nowhere))];
  const idOf = (from: string) => (from === nowhere ? '[*]' : `Outside${outside.indexOf(from) + 1}`);
  const lines = [
    '---',
    `title: ${title}`,
    '---',
    'stateDiagram-v2',
    '  direction LR',
    ...outside.map((name) => `  state "${name}" as ${idOf(name)}`),
    ...model.states.map((state) => `  state "${wordsOf(state)}" as ${state}`),
    ...model.entries.map(({ from, to, rows }) => `  ${idOf(from)} --> ${to} : ${eventsOf(rows)}`),
    ...model.arrows.map(({ from, to, rows }) => `  ${from} --> ${to} : ${eventsOf(rows)}`),
    ...Object.entries(model.loops).map(([state, rows]) => `  ${state} --> ${state} : ${eventsOf(rows)}`),
    ...leaving.map(({ from, events }) => `  ${from} --> [*] : ${events.join(', ')}`),
    ...(refused.length === 0 ? [] : [`  %% no instance comes of: ${refused.join(', ')}`]),
  ];
  return `${lines.join('\n')}\n`;
}
