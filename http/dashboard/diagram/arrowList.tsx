import { StateChip } from '../components/stateChip.tsx';
import { markOf, type Marks, takenEvents } from './marks.ts';
import type { Row } from '../../api.ts';
import type { DiagramModel } from './model.ts';

interface ArrowListProps {
  readonly model: DiagramModel;
  readonly shownOf: ReadonlyMap<string, string>;
  readonly marks: Marks | undefined;
}

const markWords = { visited: 'Visited', next: 'Possible next', plain: '' } as const;

/** The transitions of a machine as a list, where there is no room to draw them. */
export const ArrowList = ({ model, shownOf, marks }: ArrowListProps) => (
  <ul class="arrow-list">
    {[...model.entries, ...model.arrows].map((arrow) => {
      const { from, to, rows } = arrow;
      const word = marks ? markWords[markOf(marks, arrow)] : '';
      return (
        <li key={`${from}>${to}`}>
          <span class="muted small">{shownOf.get(from) ?? from}</span>
          <span class="muted" aria-label="to">
            →
          </span>
          <StateChip state={to} shown={shownOf.get(to) ?? to} />
          {word !== '' && <span class="flag flag-idle">{word}</span>}
          <Events rows={rows} taken={marks ? takenEvents(marks, arrow) : new Set()} />
        </li>
      );
    })}
  </ul>
);

/** The events of an arrow; those that were taken stand out. */
const Events = ({ rows, taken }: { readonly rows: readonly Row[]; readonly taken: ReadonlySet<string> }) => (
  <code>
    {[...new Set(rows.map(({ event }) => event))].map((event, index) => (
      <>
        {index > 0 && ', '}
        {taken.has(event) ? <b key={event}>{event}</b> : event}
      </>
    ))}
  </code>
);
