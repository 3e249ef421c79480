import { useEffect } from 'preact/hooks';
import type { Transitions } from '../../../api.ts';
import { StateChip } from '../stateChip.tsx';
import { Since } from '../times.tsx';
import { address } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { lookOf } from '../../words/state.ts';
import { clockTime, dayTime, span } from '../../words/time.ts';
import { Words } from '../words.tsx';

type Shown = Transitions['items'][number];

interface TimelineProps {
  readonly transitions: Transitions;
  /** The displayed word of each state. */
  readonly shownOf: (state: string) => string;
  readonly moveAddress: (seq: number) => string;
}

/** The moves of an instance, newest first, with the time it spent in each state. */
export function Timeline({ transitions, shownOf, moveAddress }: TimelineProps) {
  const aimed = address.value.hash.slice(1);
  useEffect(() => {
    if (aimed !== '') document.getElementById(aimed)?.scrollIntoView({ block: 'center' });
  }, [aimed]);
  const moves = [...transitions.items].sort((a, b) => b.seq - a.seq);
  if (moves.length === 0)
    return <p class="empty muted">{transitions.note ?? 'No move yet: the first pass makes it.'}</p>;
  return (
    <ol class="timeline" reversed>
      {moves.map((move, index) => (
        <MoveItem
          key={move.seq}
          move={move}
          shownOf={shownOf}
          until={moves[index - 1]?.at}
          href={moveAddress(move.seq)}
          isAimed={aimed === `move-${move.seq}`}
        />
      ))}
    </ol>
  );
}

interface MoveItemProps {
  readonly move: Shown;
  readonly shownOf: (state: string) => string;
  /** The time of the next move; undefined for the newest. */
  readonly until: string | undefined;
  readonly href: string;
  readonly isAimed: boolean;
}

function MoveItem({ move, shownOf, until, href, isAimed }: MoveItemProps) {
  const { seq, machine, from, event, to, rule, row, by, at, text, outside } = move;
  return (
    <li id={`move-${seq}`} class={isAimed ? 'aimed' : undefined} data-tone={outside ? 'unknown' : lookOf(to).tone}>
      <div class="when">
        <a href={href} title={dayTime(Date.parse(at))}>
          <time dateTime={at}>{clockTime(Date.parse(at))}</time>
        </a>
        <div>{until === undefined ? <Since at={at} /> : span(Date.parse(until) - Date.parse(at))}</div>
      </div>
      <div class="stack-tight" style={{ gap: '3px' }}>
        <div class="move-head">
          {from === to ? (
            <span class="small muted">stays</span>
          ) : (
            <>
              <span class="small muted">{shownOf(from)}</span>
              <span class="muted" aria-label="to">
                →
              </span>
            </>
          )}
          <StateChip state={to} shown={shownOf(to)} />
          {outside && <span class="flag">outside the table</span>}
        </div>
        {text !== '' && (
          <div>
            <Words text={text} />
          </div>
        )}
        <div class="move-note">
          <code>{event}</code> by {by}
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
        </div>
      </div>
    </li>
  );
}
