import { type Box, lineHeight, type PlacedArrow, roundedPath } from './layout.ts';
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

/** Where an arrow begins that leaves every state, or that makes a new instance. */
export const EntryShape = ({ name, box }: { readonly name: string; readonly box: Box }) =>
  name === nowhere ? (
    <circle class="entry-dot" cx={box.x} cy={box.y} r={box.width / 2}>
      <title>a new instance</title>
    </circle>
  ) : (
    <g>
      <rect
        class="entry-box"
        x={box.x - box.width / 2}
        y={box.y - box.height / 2}
        width={box.width}
        height={box.height}
        rx={box.height / 2}
      />
      <text class="arrow-label" x={box.x} y={box.y + 4} text-anchor="middle">
        {name}
      </text>
    </g>
  );
