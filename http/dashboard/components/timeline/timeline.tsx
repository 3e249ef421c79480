import { useEffect } from 'preact/hooks';
import type { Transitions } from '../../../api.ts';
import { address, go } from '../../router.ts';
import type { Reloading } from '../../store/loaded.ts';
import { groupedMoves, machinesIn, ofMachine, rowOf, seqOf } from '../../model/moves.ts';
import { plural } from '../../model/plural.ts';
import { Card } from '../card.tsx';
import { Empty } from '../empty.tsx';
import { Loaded } from '../loaded.tsx';
import { Skeleton } from '../note.tsx';
import { withParam } from '../filter/query.ts';
import { Moment } from './moment.tsx';

interface TimelineProps {
  /** The name of the object, for the exported file. */
  readonly name: string;
  readonly transitions: Reloading<Transitions>;
  /** The path of the API that has the same as JSON. */
  readonly path: string;
  /** The displayed word of each state. */
  readonly shownOf: (state: string, machine: string) => string;
}

const placeholderHeight = 280;

/** The moves of an object, newest first; of one machine where the address names one. */
export function Timeline({ name, transitions, path, shownOf }: TimelineProps) {
  const { value } = transitions;
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
      <Loaded
        of={transitions}
        height={placeholderHeight}
        placeholder={
          <div class="card-body">
            <Skeleton height={placeholderHeight} />
          </div>
        }
        empty={<Empty title="No move yet" text={value?.note ?? 'The first pass makes one.'} />}
      >
        {({ items }) => <Moments moves={ofMachine(items, chosen)} shownOf={shownOf} />}
      </Loaded>
    </Card>
  );
}

interface MomentsProps extends Pick<TimelineProps, 'shownOf'> {
  readonly moves: Transitions['items'];
}

function Moments({ moves, shownOf }: MomentsProps) {
  const named = moves.find(({ seq }) => address.value.hash === `#move-${seq}`);
  const groups = groupedMoves(moves);
  const row =
    named &&
    rowOf(
      groups.flatMap((group) => group.moves),
      named,
    );
  const aimed = row === undefined ? '' : `move-${seqOf(row)}`;
  const isThere = row !== undefined;
  useEffect(() => {
    if (isThere) document.getElementById(aimed)?.scrollIntoView({ block: 'center' });
  }, [aimed, isThere]);
  if (moves.length === 0) return null;
  return (
    <ol class="timeline" reversed aria-label={plural(moves.length, 'move')}>
      {groups.map((group) => (
        <Moment key={group.moves.map(seqOf).at(0)} group={group} shownOf={shownOf} aimed={aimed} />
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
