import type { Machine } from '../../api.ts';
import { Diagram } from '../diagram/diagram.tsx';
import { everything, writeFilter } from '../filter.ts';
import { FirstSteps } from '../parts/firstSteps.tsx';
import { Frame } from '../parts/frame.tsx';
import { Bones, Failed } from '../parts/note.tsx';
import { StateCounts } from '../parts/stateCounts.tsx';
import { addressOf } from '../routes.ts';
import { countsOf, useMachines } from '../store/machines.ts';
import { plural } from '../words/plural.ts';

const inState = (machine: string, state: string) =>
  addressOf.machine(machine, writeFilter({ ...everything, states: [state] }));

/** Every machine, drawn, with live counts. */
export function MachinesPage() {
  const { value, failed, reload } = useMachines();
  return (
    <Frame title="Machines">
      <div class="stack">
        <div>
          <h1>Machines</h1>
          <p class="muted">
            Every lifecycle of the platform, drawn from the table it follows, with what stands in each state now.
          </p>
        </div>
        <Failed failed={failed} stale={value !== null} retry={reload} />
        {value === null && failed === null && <Bones height={520} />}
        {value?.items.map((machine) => (
          <MachineCard key={machine.name} machine={machine} />
        ))}
      </div>
    </Frame>
  );
}

function MachineCard({ machine }: { readonly machine: Machine }) {
  const { counts, retrying, total } = countsOf(machine);
  const to = (state: string) => inState(machine.name, state);
  return (
    <section class="card" aria-label={`Machine ${machine.name}`}>
      <div class="card-head">
        <h2>
          <a href={addressOf.machine(machine.name)}>{machine.name}</a>
        </h2>
        <span class="muted small">
          {machine.kinds.join(', ')} · {plural(total, 'instance')} · {plural(machine.rows.length, 'arrow')}
        </span>
        <a class="row-end small" href={addressOf.machine(machine.name, writeFilter({ ...everything, retrying: true }))}>
          {plural(retrying, 'instance')} retrying
        </a>
      </div>
      <div class="card-body">
        <StateCounts machine={machine} counts={counts} chosen={[]} addressOf={to} />
      </div>
      {total === 0 && <FirstSteps machine={machine.name} />}
      <Diagram machine={machine} counts={counts} addressOf={to} />
    </section>
  );
}
