import { addressOf } from '../../routes.ts';
import { type Fold, isFold } from '../../../../rules/moves/foldFlips.ts';
import { flipText, type MoveGroup, seqOf, type ShownMove, stateAfter } from '../../model/moves.ts';
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
      {moves.map((row) => {
        const seq = seqOf(row);
        const isAimed = aimed === `move-${seq}`;
        return isFold(row) ? (
          <Flipped key={seq} fold={row} shownOf={shownOf} isAimed={isAimed} />
        ) : (
          <Moved key={seq} move={row} shownOf={shownOf} isAimed={isAimed} />
        );
      })}
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

interface FlippedProps extends Pick<MomentProps, 'shownOf'> {
  readonly fold: Fold;
  readonly isAimed: boolean;
}

/** Moves to and fro as one: how many, from the first to the last. */
function Flipped({ fold, shownOf, isAimed }: FlippedProps) {
  const { machine, first, last, firstSeq, lastSeq } = fold;
  const state = stateAfter(fold);
  return (
    <li id={`move-${lastSeq}`} class={isAimed ? 'move aimed' : 'move'} data-tone={lookOf(state).tone}>
      <span class="dot">
        <Icon name={lookOf(state).sign} size={12} />
      </span>
      <div class="move-head">
        <StateChip state={state} shown={shownOf(state, machine)} />
        <span>{flipText(fold, (one) => shownOf(one, machine))}</span>
      </div>
      <div class="move-note">
        {machine}: <At at={first}>{clockTime(Date.parse(first))}</At> to{' '}
        <At at={last}>{clockTime(Date.parse(last))}</At>
        {' · '}
        <a href={`#move-${lastSeq}`} aria-label={`Link to moves ${firstSeq} to ${lastSeq}`}>
          #{firstSeq} to #{lastSeq}
        </a>
      </div>
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
