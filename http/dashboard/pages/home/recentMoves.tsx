import { Card } from '../../components/card.tsx';
import { LongText } from '../../components/longText.tsx';
import { At } from '../../components/times.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { addressOf } from '../../routes.ts';
import { useMachines } from '../../store/machines.ts';
import { type NamedMove, type RecentRow, useRecentMoves } from '../../store/recentMoves.ts';
import { type Fold, isFold } from '../../../../rules/moves/foldFlips.ts';
import { flipText, stateAfter } from '../../model/moves.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';
import { clockTime } from '../../model/time.ts';

/** What people make and deploy; of everything else only the moves since the page was opened are shown. */
const followed = ['service', 'build', 'database', 'logicalDatabase', 'objectStore'] as const;

/** The last moves of what people make, and of everything else since the page was opened. */
export function RecentMoves() {
  const moves = useRecentMoves(followed);
  const machines = useMachines().value?.items ?? [];
  const shownOf = (machine: string, state: string) =>
    machines.find(({ name }) => name === machine)?.states.find(({ name }) => name === state)?.shown ?? state;
  return (
    <Card title="Last moves" actions={<span class="muted small">newest first</span>}>
      {moves.length === 0 && <p class="card-body muted">Nothing has moved yet.</p>}
      <ul>
        {moves.map((row) => (
          <Row key={`${row.id} ${row.machine} ${isFold(row) ? row.firstSeq : row.seq}`} row={row} shownOf={shownOf} />
        ))}
      </ul>
    </Card>
  );
}

interface RowProps {
  readonly row: RecentRow;
  readonly shownOf: (machine: string, state: string) => string;
}

function Row({ row, shownOf }: RowProps) {
  const { machine, name } = row;
  const { at, seq, to, text, by } = isFold(row) ? ofFold(row, (state) => shownOf(machine, state)) : row;
  return (
    <li class="moved">
      <span class="muted small mono">
        <At at={at}>{clockTime(Date.parse(at))}</At>
      </span>
      <StateChip state={to} shown={shownOf(machine, to)} />
      <a class="strong" href={addressOfMove(row, { seq, to })}>
        {name}
      </a>
      <span>
        <LongText text={text} />
      </span>
      <span class="muted small">{by}</span>
    </li>
  );
}

const ofFold = (fold: Fold, shownOf: (state: string) => string) => ({
  at: fold.last,
  seq: fold.lastSeq,
  to: stateAfter(fold),
  text: `${flipText(fold, shownOf)}, since ${clockTime(Date.parse(fold.first))}`,
  by: '',
});

/** A move of a resource stands in its own history; others on the page of their machine. */
function addressOfMove(row: RecentRow, { seq, to }: Pick<NamedMove, 'seq' | 'to'>): string {
  const { kind, name, project, environment, machine, id } = row;
  const isThere = kind in machineOfKind && to !== '(deleted)';
  const resource = { kind, name, project, environment };
  return `${isThere ? addressOf.resource(resource, 'lifecycle') : addressOf.instance(machine, id)}#move-${seq}`;
}
