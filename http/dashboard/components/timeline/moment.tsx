import { addressOf } from '../../routes.ts';
import type { MoveGroup, ShownMove } from '../../model/moves.ts';
import { lookOf } from '../../model/state.ts';
import { clockTime } from '../../model/time.ts';
import { LongText } from '../longText.tsx';
import { Icon } from '../icon.tsx';
import { At, Since, Spent } from '../times.tsx';
import { StateChip } from '../stateChip.tsx';

interface MomentProps {
  readonly group: MoveGroup;
  readonly shownOf: (state: string, machine: string) => string;
  /** The id of the move that the address names. */
  readonly aimed: string;
}

/** Moves that came within a second: their time once, and how long the last state lasted. */
export const Moment = ({ group: { at, moves, until }, shownOf, aimed }: MomentProps) => (
  <li class="moment">
    <div class="when">
      <At at={at}>{clockTime(Date.parse(at))}</At>
      <div>{until === null ? <Since at={at} /> : <Spent from={at} to={until} />}</div>
    </div>
    <ul>
      {moves.map((move) => (
        <Moved key={move.seq} move={move} shownOf={shownOf} isAimed={aimed === `move-${move.seq}`} />
      ))}
    </ul>
  </li>
);

interface MovedProps extends Pick<MomentProps, 'shownOf'> {
  readonly move: ShownMove;
  readonly isAimed: boolean;
}

function Moved({ move, shownOf, isAimed }: MovedProps) {
  const { seq, machine, from, to, text, outside } = move;
  const tone = outside ? 'unknown' : lookOf(to).tone;
  return (
    <li id={`move-${seq}`} class={isAimed ? 'move aimed' : 'move'} data-tone={tone}>
      <span class="dot">
        <Icon name={outside ? 'question' : lookOf(to).sign} size={12} />
      </span>
      <div class="move-head">
        {from === to ? (
          <span class="small muted">stays</span>
        ) : (
          <>
            <span class="small muted">{shownOf(from, machine)}</span>
            <span class="muted" role="img" aria-label="to">
              →
            </span>
          </>
        )}
        <StateChip state={to} shown={shownOf(to, machine)} />
        {outside && <span class="flag">outside the table</span>}
      </div>
      {text !== '' && (
        <div>
          <LongText text={text} />
        </div>
      )}
      <Origin move={move} />
    </li>
  );
}

/** What made a move: its event, who caused it, the rule and the row, each as a link where it leads anywhere. */
const Origin = ({ move: { seq, machine, event, by, rule, row } }: Pick<MovedProps, 'move'>) => (
  <div class="move-note">
    {machine}: <code>{event}</code> by {by}
    {rule !== undefined && (
      <>
        {' · rule '}
        <code>{rule}</code>
      </>
    )}
    {row !== undefined && (
      <>
        {' · '}
        <a href={`${addressOf.machine(machine)}#${row}`}>{row}</a>
      </>
    )}
    {' · '}
    <a href={`#move-${seq}`} aria-label={`Link to move ${seq}`}>
      #{seq}
    </a>
  </div>
);
