import type { Machine } from '../../../api.ts';
import { everything, writeFilter } from '../../model/filter.ts';
import { Columns } from '../../components/columns.tsx';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Hidden } from '../../components/value.tsx';
import { stateCounts } from '../../model/stateCounts.ts';
import { StateCounts } from '../../components/filter/stateCounts.tsx';
import { ScrollBox } from '../../components/scrollBox.tsx';
import { addressOf } from '../../routes.ts';
import { countsOf, isHidden, useCountedMachines } from '../../store/machines.ts';
import { grouped } from '../../model/plural.ts';
import { lookOf } from '../../model/state.ts';

/** Every machine in one row, with live counts; the diagram is on its own page. */
export function MachinesPage() {
  const loaded = useCountedMachines();
  return (
    <Frame title="State machines">
      <div class="stack">
        <div>
          <h1>State machines</h1>
          <p class="muted">Every lifecycle of the platform, with what stands in each state now.</p>
        </div>
        <Loaded of={loaded} height={360}>
          {(value) => (
            <ScrollBox label="Machines" isCard>
              <table class="machines">
                <Columns names={['Machine', 'Instances', 'Retrying', 'Failing', 'States']} />
                <tbody>
                  {value.items.map((machine) => (
                    <MachineRow key={machine.name} machine={machine} />
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )}
        </Loaded>
      </div>
    </Frame>
  );
}

function MachineRow({ machine }: { readonly machine: Machine }) {
  const { counts, retrying, total } = countsOf(machine);
  const to = (filter: Partial<typeof everything>) =>
    addressOf.machine(machine.name, writeFilter({ ...everything, ...filter }));
  const failing = Object.keys(counts).filter((state) => lookOf(state).tone === 'bad' && (counts[state] ?? 0) > 0);
  const failingCount = failing.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return (
    <tr>
      <th scope="row" class="machine-name">
        <a href={addressOf.machine(machine.name)}>{machine.name}</a>
        <div class="small muted">{machine.kinds.join(', ')}</div>
      </th>
      <Figure count={isHidden(machine) ? null : total} to={to({})} of={`instances of ${machine.name}`} />
      <Figure
        count={isHidden(machine) ? null : retrying}
        to={to({ retrying: true })}
        of={`instances of ${machine.name} retrying`}
      />
      <Figure
        count={isHidden(machine) ? null : failingCount}
        to={to({ states: failing })}
        of={`instances of ${machine.name} failing`}
      />
      <td class="machine-states">
        {total === 0 ? (
          <NoCount machine={machine} />
        ) : (
          <StateCounts
            label={`States of ${machine.name}`}
            states={stateCounts(machine, counts).filter(({ count }) => count > 0)}
            chosen={[]}
            addressOf={(state) => to({ states: [state] })}
          />
        )}
      </td>
    </tr>
  );
}

const NoCount = ({ machine }: { readonly machine: Machine }) =>
  isHidden(machine) ? (
    <Hidden />
  ) : (
    <span class="muted">{machine.counts === null ? 'Only the leader knows.' : 'No instance yet.'}</span>
  );

interface FigureProps {
  /** Null where the reader's role hides it. */
  readonly count: number | null;
  readonly to: string;
  /** The noun of what is counted. */
  readonly of: string;
}

/** A count that links to what it counts; zero has no link. */
const Figure = ({ count, to, of }: FigureProps) => (
  <td class="machine-figure">
    {count === 0 || count === null ? (
      <span class="muted">{count ?? '–'}</span>
    ) : (
      <a href={to} aria-label={`${grouped(count)} ${of}`}>
        {grouped(count)}
      </a>
    )}
  </td>
);
