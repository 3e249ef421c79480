import { Card } from '../../components/card.tsx';
import { LongText } from '../../components/longText.tsx';
import { At } from '../../components/times.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { addressOf } from '../../routes.ts';
import { useMachines } from '../../store/machines.ts';
import { type NamedMove, useRecentMoves } from '../../store/recentMoves.ts';
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
        {moves.map((move) => (
          <li key={`${move.id} ${move.machine} ${move.seq}`} class="moved">
            <span class="muted small mono">
              <At at={move.at}>{clockTime(Date.parse(move.at))}</At>
            </span>
            <StateChip state={move.to} shown={shownOf(move.machine, move.to)} />
            <a class="strong" href={addressOfMove(move)}>
              {move.name}
            </a>
            <span>
              <LongText text={move.text} />
            </span>
            <span class="muted small">{move.by}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A move of a resource stands in its own history; others on the page of their machine. */
function addressOfMove({ kind, name, project, environment, machine, id, seq, to }: NamedMove): string {
  const isThere = kind in machineOfKind && to !== '(deleted)';
  const resource = { kind, name, project, environment };
  return `${isThere ? addressOf.resource(resource, 'lifecycle') : addressOf.instance(machine, id)}#move-${seq}`;
}
