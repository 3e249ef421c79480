import { StateChip } from '../parts/stateChip.tsx';
import { markOf, type Marks } from './marks.ts';
import type { DiagramModel } from './model.ts';

interface ArrowListProps {
  readonly model: DiagramModel;
  readonly shownOf: ReadonlyMap<string, string>;
  readonly marks: Marks | undefined;
}

const markWords = { visited: 'Visited', next: 'Possible next', plain: '' } as const;

/** The arrows of a machine as a list, where there is no room to draw them. */
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
          <code>{[...new Set(rows.map(({ event }) => event))].join(', ')}</code>
        </li>
      );
    })}
  </ul>
);
