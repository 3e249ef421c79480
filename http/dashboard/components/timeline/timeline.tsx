import { useEffect } from 'preact/hooks';
import type { Transitions } from '../../../api.ts';
import { address, go } from '../../router.ts';
import type { Loaded } from '../../store/loaded.ts';
import { groupedMoves, machinesIn, ofMachine } from '../../model/moves.ts';
import { plural } from '../../model/plural.ts';
import { Card } from '../card.tsx';
import { Empty } from '../empty.tsx';
import { Failed, Skeleton } from '../note.tsx';
import { withParam } from '../filter/query.ts';
import { Moment } from './moment.tsx';

interface TimelineProps {
  /** The name of the object, for the exported file. */
  readonly name: string;
  readonly transitions: Loaded<Transitions> & { readonly reload: () => void };
  /** The path of the API that has the same as JSON. */
  readonly path: string;
  /** The displayed word of each state. */
  readonly shownOf: (state: string, machine: string) => string;
}

/** The moves of an object, newest first; of one machine where the address names one. */
export function Timeline({ name, transitions, path, shownOf }: TimelineProps) {
  const { value, failed, readAt, reload } = transitions;
  const all = value?.items ?? [];
  const machines = machinesIn(all);
  const asked = new URLSearchParams(address.value.search).get('machine') ?? '';
  const chosen = machines.includes(asked) ? asked : '';
  return (
    <Card
      title="Timeline"
      actions={
        <>
          <span class="muted small">newest first</span>
          {machines.length > 1 && <MachineChoice machines={machines} chosen={chosen} />}
          <a class="row-end small" href={path} download={`${name}-history.json`}>
            History as JSON
          </a>
        </>
      }
    >
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && (
        <div class="card-body">
          <Skeleton height={280} />
        </div>
      )}
      {value && all.length === 0 && <Empty title="No move yet" text={value.note ?? 'The first pass makes one.'} />}
      <Moments moves={ofMachine(all, chosen)} shownOf={shownOf} />
    </Card>
  );
}

interface MomentsProps extends Pick<TimelineProps, 'shownOf'> {
  readonly moves: Transitions['items'];
}

function Moments({ moves, shownOf }: MomentsProps) {
  const aimed = address.value.hash.slice(1);
  const isThere = moves.some(({ seq }) => aimed === `move-${seq}`);
  useEffect(() => {
    if (isThere) document.getElementById(aimed)?.scrollIntoView({ block: 'center' });
  }, [aimed, isThere]);
  if (moves.length === 0) return null;
  return (
    <ol class="timeline" reversed aria-label={plural(moves.length, 'move')}>
      {groupedMoves(moves).map((group) => (
        <Moment key={group.moves[0]?.seq} group={group} shownOf={shownOf} aimed={aimed} />
      ))}
    </ol>
  );
}

interface MachineChoiceProps {
  readonly machines: readonly string[];
  readonly chosen: string;
}

const MachineChoice = ({ machines, chosen }: MachineChoiceProps) => (
  <label class="row small">
    Machine
    <select
      class="select"
      value={chosen}
      onChange={(event) => go(withParam(address.peek(), 'machine', event.currentTarget.value), 'replace')}
    >
      <option value="">all</option>
      {machines.map((machine) => (
        <option key={machine} value={machine}>
          {machine}
        </option>
      ))}
    </select>
  </label>
);
