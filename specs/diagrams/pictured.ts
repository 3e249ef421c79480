import type { Row } from '../../machines/table.ts';
import { type DiagramModel, diagramOf } from '../../http/dashboard/diagram/model.ts';
import { subtitleOf } from '../../http/dashboard/model/state.ts';
import { span } from '../../http/dashboard/model/time.ts';
import { fromOf, type Parsed, statesOf } from '../tables/parse.ts';

/** A state in which an instance may end, and what has to happen. */
interface Leaving {
  readonly from: string;
  readonly events: readonly string[];
}

/** A lifecycle as it is drawn and written down: the dashboard's model, and what a picture without a pointer must tell. */
export interface Pictured {
  readonly name: string;
  readonly title: string;
  readonly model: DiagramModel;
  /** What is said below the name of a state. */
  readonly subs: Readonly<Record<string, string>>;
  readonly leaving: readonly Leaving[];
  /** Events that find no instance and bring none. */
  readonly refused: readonly string[];
}

const eventsOf = (rows: readonly Row[]) => [...new Set(rows.map(({ event }) => event))];

/** `specs/tables/build.md` is `build`. */
const nameOf = ({ file }: Pick<Parsed, 'file'>): string => file.replace(/^.*\//, '').replace(/\.md$/, '');

const isAbsence = (state: string) => state.startsWith('(');

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** What a reader of the table sees first of a state: whom it shares its name with, how long it lasts, that it rests. */
function subOf(table: Parsed, state: string): string {
  const deadline = table.deadlines.find((row) => row.state === state);
  if (subtitleOf(state) !== '') return subtitleOf(state);
  if (deadline) return `up to ${span(deadline.atMostMs)}`;
  return table.rests.some((row) => row.state === state) ? 'rests' : '';
}

/** A table made ready for a picture; a state that only the lens names is not in it. */
export function pictured(table: Parsed): Pictured {
  const name = nameOf(table);
  const states = statesOf(table);
  const rows = [...table.rows, ...table.absence];
  const drawn = new Set(rows.flatMap(({ from, to }) => [...from, to]));
  const model = diagramOf({ states: states.map(stated), rows }, drawn);
  const ending = rows.filter(({ to }) => isAbsence(to));
  return {
    name,
    title: titleOf(name),
    model,
    subs: Object.fromEntries(model.states.map((state) => [state, subOf(table, state)])),
    leaving: model.states
      .map((from) => ({ from, events: eventsOf(ending.filter((row) => fromOf(row, states).includes(from))) }))
      .filter(({ events }) => events.length > 0),
    refused: eventsOf(ending.filter(({ from }) => from.some(isAbsence))),
  };
}

const stated = (name: string) => ({ name, shown: name, resting: false, final: false, restsUntil: null, ensures: [] });
