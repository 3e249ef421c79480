import { Drawn } from './drawn.tsx';
import type { PlacedArrow, PlacedEntry } from './layout.ts';
import { nowhere } from './model.ts';
import { arrowShapes, entryShapes } from './shapes.ts';
import type { Detail } from './detail.ts';

interface ArrowProps {
  readonly arrow: PlacedArrow;
  readonly mark: 'visited' | 'next' | 'plain';
  /** The events of it that were taken. */
  readonly taken: ReadonlySet<string>;
  readonly showDetail: (detail: Detail | null) => void;
}

const markWords = { visited: ', visited', next: ', possible next', plain: '' } as const;

/** One arrow with its events. */
export function ArrowShape({ arrow, mark, taken, showDetail }: ArrowProps) {
  const { rows, from, to } = arrow;
  const title = `${from} → ${to}`;
  const events = [...new Set(rows.map(({ event }) => (taken.has(event) ? `${event} (taken)` : event)))].join(', ');
  const on = () => showDetail({ title, rows });
  const off = () => showDetail(null);
  return (
    <g
      class={`arrow arrow-${mark}`}
      tabIndex={0}
      role="img"
      aria-label={`${from === nowhere ? 'from nothing' : from} to ${to}: ${events}${markWords[mark]}`}
      onPointerEnter={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
    >
      <title>{`${title}: ${events}`}</title>
      <Drawn shapes={arrowShapes(arrow, `head-${mark}`, taken)} />
    </g>
  );
}

/** The start of an arrow that leaves many states, or that creates an instance. */
export const EntryShape = ({ entry, taken }: Pick<ArrowProps, 'taken'> & { readonly entry: PlacedEntry }) => (
  <g class={entry.from === nowhere ? 'entry entry-new' : 'entry'} aria-hidden="true">
    <Drawn shapes={entryShapes(entry, taken)} />
  </g>
);
