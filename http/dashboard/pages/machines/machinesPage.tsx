import type { Machine } from '../../../api.ts';
import { Table } from '../../components/table/table.tsx';
import type { TableColumn } from '../../components/table/tableColumn.ts';
import { everything, writeFilter } from '../../model/filter.ts';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Hidden } from '../../components/value.tsx';
import { stateCounts } from '../../model/stateCounts.ts';
import { StateCounts } from '../../components/filter/stateCounts.tsx';
import { addressOf } from '../../routes.ts';
import { countsOf, isHidden, useCountedMachines } from '../../store/machines.ts';
import { grouped } from '../../model/plural.ts';
import { lookOf } from '../../model/state.ts';
import { pageHelp } from './text.ts';

/** Every machine in one row, with live counts; the diagram is on its own page. */
export function MachinesPage() {
  const loaded = useCountedMachines();
  return (
    <Frame title="State machines">
      <div class="stack">
        <div>
          <h1>State machines</h1>
          <p class="muted">{pageHelp}</p>
        </div>
        <Loaded of={loaded} height={360}>
          {({ items }) => (
            <Table
              label="Machines"
              isCard
              look="machines"
              columns={columns}
              rows={items.map(rowOf)}
              keyOf={({ machine }) => machine.name}
            />
          )}
        </Loaded>
      </div>
    </Frame>
  );
}

interface MachineRow {
  readonly machine: Machine;
  readonly counts: ReturnType<typeof countsOf>;
  /** Its states that have failed, with instances in them. */
  readonly failing: readonly string[];
}

function rowOf(machine: Machine): MachineRow {
  const counts = countsOf(machine);
  const failing = Object.entries(counts.counts).filter(([state, count]) => lookOf(state).tone === 'bad' && count > 0);
  return { machine, counts, failing: failing.map(([state]) => state) };
}

const toInstances = ({ name }: Machine, filter: Partial<typeof everything>): string =>
  addressOf.machine(name, writeFilter({ ...everything, ...filter }));

const columns: readonly TableColumn<MachineRow>[] = [
  {
    label: 'Machine',
    isRowHeading: true,
    look: 'machine-name',
    cell: ({ machine }) => (
      <>
        <a href={addressOf.machine(machine.name)}>{machine.name}</a>
        <div class="small muted">{machine.kinds.join(', ')}</div>
      </>
    ),
  },
  {
    label: 'Instances',
    look: 'machine-figure',
    cell: ({ machine, counts: { total } }) => (
      <Figure machine={machine} count={total} to={toInstances(machine, {})} of={`instances of ${machine.name}`} />
    ),
  },
  {
    label: 'Retrying',
    look: 'machine-figure',
    cell: ({ machine, counts: { retrying } }) => (
      <Figure
        machine={machine}
        count={retrying}
        to={toInstances(machine, { retrying: true })}
        of={`instances of ${machine.name} retrying`}
      />
    ),
  },
  {
    label: 'Failing',
    look: 'machine-figure',
    cell: ({ machine, counts: { counts }, failing }) => (
      <Figure
        machine={machine}
        count={failing.reduce((sum, state) => sum + (counts[state] ?? 0), 0)}
        to={toInstances(machine, { states: failing })}
        of={`instances of ${machine.name} failing`}
      />
    ),
  },
  { label: 'States', look: 'machine-states', cell: (row) => <States {...row} /> },
];

const States = ({ machine, counts: { counts, total } }: MachineRow) =>
  total === 0 ? (
    <NoCount machine={machine} />
  ) : (
    <StateCounts
      label={`States of ${machine.name}`}
      states={stateCounts(machine, counts).filter(({ count }) => count > 0)}
      chosen={[]}
      addressOf={(state) => toInstances(machine, { states: [state] })}
    />
  );

const NoCount = ({ machine }: { readonly machine: Machine }) =>
  isHidden(machine) ? (
    <Hidden />
  ) : (
    <span class="muted">{machine.counts === null ? 'Only the leader knows.' : 'No instance yet.'}</span>
  );

interface FigureProps {
  readonly machine: Machine;
  readonly count: number;
  readonly to: string;
  /** The noun of what is counted. */
  readonly of: string;
}

/** A count that links to what it counts; zero, and what the reader's role hides, has no link. */
const Figure = ({ machine, count, to, of }: FigureProps) =>
  isHidden(machine) || count === 0 ? (
    <span class="muted">{isHidden(machine) ? '–' : count}</span>
  ) : (
    <a href={to} aria-label={`${grouped(count)} ${of}`}>
      {grouped(count)}
    </a>
  );
