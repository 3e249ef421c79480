import type { Row } from '../../api.ts';
import { Sign } from '../parts/sign.tsx';
import { grouped, plural } from '../words/plural.ts';
import { lookOf, subtitleOf } from '../words/state.ts';
import type { Box } from './layout.ts';
import { isVisited, type Marks } from './marks.ts';
import type { Told } from './told.ts';

interface StateProps {
  readonly state: string;
  readonly shown: string;
  readonly box: Box;
  readonly href: string;
  readonly count: number;
  readonly chosen: boolean;
  readonly marks: Marks | undefined;
  readonly loops: readonly Row[];
  readonly tell: (told: Told | null) => void;
}

function classOf({ state, chosen, marks }: StateProps): string {
  if (marks?.current === state) return 'state-current';
  if (chosen) return 'state-chosen';
  return marks && isVisited(marks, state) ? 'state-visited' : '';
}

/** One state: a link, with its sign, its word, and how many stand in it. */
export function StateShape(props: StateProps) {
  const { state, shown, box, href, count, marks, loops, tell } = props;
  const { tone, sign } = lookOf(state);
  const subtitle = subtitleOf(state);
  const isCurrent = marks?.current === state;
  const second = isCurrent ? 'stands here' : subtitle;
  const left = box.x - box.width / 2;
  const top = box.y - box.height / 2;
  const nameY = marks && second === '' ? box.y + 4.5 : box.y - 3.5;
  const words = `${shown}${subtitle === '' ? '' : ` ${subtitle}`}`;
  return (
    <g data-tone={tone} class={classOf(props)}>
      <a
        class="state-link"
        href={href}
        aria-label={`${words}${isCurrent ? ', the current state' : ''}${marks ? '' : `, ${plural(count, 'instance')}`}`}
        aria-current={isCurrent ? 'step' : undefined}
      >
        <title>{`List what is in ${words}`}</title>
        <rect class="state-box" x={left} y={top} width={box.width} height={box.height} rx="9" />
        <g transform={`translate(${left + 11} ${nameY - 11.5})`}>
          <Sign name={sign} />
        </g>
        <text class="state-name" x={left + 31} y={nameY}>
          {shown}
        </text>
        {!marks && (
          <text class="state-count" x={left + 31} y={nameY + 16}>
            {grouped(count)}
          </text>
        )}
        {second !== '' && (
          <text
            class="state-sub"
            x={marks ? left + 31 : left + box.width - 11}
            y={nameY + 16}
            text-anchor={marks ? 'start' : 'end'}
          >
            {second}
          </text>
        )}
      </a>
      {loops.length > 0 && (
        <Loop state={state} rows={loops} marks={marks} x={left + box.width - 12} y={top} tell={tell} />
      )}
    </g>
  );
}

interface LoopProps {
  readonly state: string;
  readonly rows: readonly Row[];
  readonly marks: Marks | undefined;
  readonly x: number;
  readonly y: number;
  readonly tell: (told: Told | null) => void;
}

/** Arrows that stay in their state, as a small mark at its corner. */
function Loop({ state, rows, marks, x, y, tell }: LoopProps) {
  const events = [...new Set(rows.map(({ event }) => event))].join(', ');
  const isNext = marks?.current === state;
  const on = () => tell({ title: `stays ${state}`, rows });
  const off = () => tell(null);
  return (
    <g
      class={isNext ? 'loop loop-next' : 'loop'}
      tabIndex={0}
      role="img"
      aria-label={`stays ${state}: ${events}`}
      transform={`translate(${x} ${y})`}
      onPointerEnter={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
    >
      <title>{`stays ${state}: ${events}`}</title>
      <circle r="10" />
      <path
        class="arrow-line"
        d="M3.6 -2.4A4.4 4.4 0 1 0 4.4 1.2M4.2 -5.2L3.8 -2.2L0.8 -2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </g>
  );
}
