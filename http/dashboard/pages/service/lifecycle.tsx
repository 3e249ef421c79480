import type { Explanation, Machine, Transitions } from '../../../api.ts';
import { api } from '../../api.ts';
import { Diagram } from '../../diagram/diagram.tsx';
import { everything, writeFilter } from '../../filter.ts';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { addressOf } from '../../routes.ts';
import { ofService } from '../../kinds/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { Timeline } from '../../parts/timeline/timeline.tsx';
import type { ServiceReading } from './reading.ts';

/** The machines of a service, each with its way through it, and all their moves. */
export function Lifecycle({ reading: { name, explained } }: { readonly reading: ServiceReading }) {
  const machines = useMachines();
  const transitions = useLoaded<Transitions>(api.ofApp(name, 'transitions'), ofService(name));
  const moves = transitions.value?.items ?? [];
  const explanations = (explained.value?.items ?? []).toReversed();
  const machineOf = (machine: string) => machines.value?.items.find((one) => one.name === machine);
  return (
    <>
      <Failed failed={explained.failed ?? machines.failed} readAt={explained.readAt} retry={explained.reload} />
      {(!explained.value || !machines.value) && !explained.failed && <Skeleton height={420} />}
      {explanations.map((explanation) => {
        const machine = machineOf(explanation.machine);
        return (
          machine && (
            <Way
              key={machine.name}
              name={name}
              machine={machine}
              explanation={explanation}
              moves={moves.filter((move) => move.machine === machine.name)}
            />
          )
        );
      })}
      <Timeline
        name={name}
        transitions={transitions}
        path={api.ofApp(name, 'transitions')}
        shownOf={(state, machine) => machineOf(machine)?.states.find((one) => one.name === state)?.shown ?? state}
      />
    </>
  );
}

interface WayProps {
  readonly name: string;
  readonly machine: Machine;
  readonly explanation: Explanation;
  readonly moves: Transitions['items'];
}

const Way = ({ name, machine, explanation, moves }: WayProps) => (
  <section class="card" aria-label={`Machine ${machine.name}`}>
    <div class="card-head">
      <h2>
        <a href={addressOf.instance(machine.name, `coreapps:${name}`)}>{machine.name}</a>
      </h2>
      <StateChip state={explanation.state} shown={explanation.shown} />
    </div>
    <Diagram
      machine={machine}
      counts={{}}
      marks={{ current: explanation.state, moves, next: new Set(explanation.next.map(({ row }) => row)) }}
      what="services"
      addressOf={(state) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [state] }))}
    />
  </section>
);
