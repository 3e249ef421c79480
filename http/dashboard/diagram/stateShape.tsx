import type { Row } from '../../api.ts';
import { grouped } from '../model/plural.ts';
import { lookOf, subtitleOf } from '../model/state.ts';
import { Drawn } from './drawn.tsx';
import type { Box } from './layout.ts';
import { isVisited, type Marks } from './marks.ts';
import { loopAt, loopMark, stateShapes } from './shapes.ts';
import type { Detail } from './detail.ts';

interface StateProps {
  readonly state: string;
  readonly shown: string;
  readonly box: Box;
  readonly href: string;
  readonly count: number | null;
  /** The plural noun of what is in the state. */
  readonly what: string;
  readonly chosen: boolean;
  readonly marks: Marks | undefined;
  readonly loops: readonly Row[];
  readonly showDetail: (detail: Detail | null) => void;
}

function classOf({ state, chosen, marks }: StateProps): string {
  if (marks?.current === state) return 'state-current';
  if (chosen) return 'state-chosen';
  return marks && isVisited(marks, state) ? 'state-visited' : '';
}

/** One state: a link, with its sign, its word, and its count. */
export function StateShape(props: StateProps) {
  const { state, shown, box, href, count, what, marks, loops, showDetail } = props;
  const { tone, sign } = lookOf(state);
  const subtitle = subtitleOf(state);
  const isCurrent = marks?.current === state;
  const sub = isCurrent ? 'Current' : subtitle;
  const number = marks || count === null ? '' : grouped(count);
  return (
    <g data-tone={tone} class={classOf(props)}>
      <title>{`Show ${what} in ${[shown, subtitle].join(' ').trim()}`}</title>
      <a class="state-link" href={href} aria-description={`Show ${what}`} aria-current={isCurrent ? 'step' : undefined}>
        <Drawn shapes={stateShapes(box, { shown, sign, count: number, sub })} />
      </a>
      {loops.length > 0 && <Loop state={state} rows={loops} marks={marks} box={box} showDetail={showDetail} />}
    </g>
  );
}

interface LoopProps {
  readonly state: string;
  readonly rows: readonly Row[];
  readonly marks: Marks | undefined;
  readonly box: Box;
  readonly showDetail: (detail: Detail | null) => void;
}

/** Arrows that keep their state, as a small mark at its corner. */
function Loop({ state, rows, marks, box, showDetail }: LoopProps) {
  const { x, y } = loopAt(box);
  const events = [...new Set(rows.map(({ event }) => event))].join(', ');
  const isNext = marks?.current === state;
  const on = () => showDetail({ title: `keeps ${state}`, rows });
  const off = () => showDetail(null);
  return (
    <g
      class={isNext ? 'loop loop-next' : 'loop'}
      tabIndex={0}
      role="img"
      aria-label={`keeps ${state}: ${events}`}
      transform={`translate(${x} ${y})`}
      onPointerEnter={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
    >
      <title>{`keeps ${state}: ${events}`}</title>
      <Drawn shapes={loopMark} />
    </g>
  );
}
