import { lineHeight, type PlacedArrow, type PlacedEntry, roundedPath } from './layout.ts';
import { nowhere } from './model.ts';
import type { Told } from './told.ts';

interface ArrowProps {
  readonly arrow: PlacedArrow;
  readonly mark: 'visited' | 'next' | 'plain';
  readonly tell: (told: Told | null) => void;
}

const markWords = { visited: ', gone before', next: ', possible next', plain: '' } as const;

/** One arrow with its events. */
export function ArrowShape({ arrow, mark, tell }: ArrowProps) {
  const { label, rows, from, to } = arrow;
  const title = `${from} → ${to}`;
  const events = [...new Set(rows.map(({ event }) => event))].join(', ');
  const on = () => tell({ title, rows });
  const off = () => tell(null);
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
      <path class="arrow-line" d={roundedPath(arrow.points)} marker-end={`url(#head-${mark})`} />
      <rect
        class="label-back"
        x={label.x - label.width / 2}
        y={label.y - label.height / 2}
        width={label.width}
        height={label.height}
        rx="4"
      />
      {label.lines.map((line, index) => (
        <text
          key={line}
          class="arrow-label"
          x={label.x}
          y={label.y - label.height / 2 + 13 + index * lineHeight}
          text-anchor="middle"
        >
          {line}
        </text>
      ))}
    </g>
  );
}

/** Where an arrow begins that leaves every state, or that makes a new instance; it names its events. */
export const EntryShape = ({ entry }: { readonly entry: PlacedEntry }) => (
  <g class={entry.from === nowhere ? 'entry entry-new' : 'entry'} aria-hidden="true">
    <rect
      x={entry.x - entry.width / 2}
      y={entry.y - entry.height / 2}
      width={entry.width}
      height={entry.height}
      rx="10"
    />
    {entry.lines.map((line, index) => (
      <text
        key={line}
        class={index === 0 && entry.from !== nowhere ? 'entry-name' : 'arrow-label'}
        x={entry.x}
        y={entry.y - entry.height / 2 + 15 + index * lineHeight}
        text-anchor="middle"
      >
        {line}
      </text>
    ))}
  </g>
);
