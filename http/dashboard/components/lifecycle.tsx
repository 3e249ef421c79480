import type { Explanation, Explanations, Machine, Transitions } from '../../api.ts';
import { Diagram } from '../diagram/diagram.tsx';
import { everything, writeFilter } from '../model/filter.ts';
import { addressOf } from '../routes.ts';
import type { Reloading } from '../store/loaded.ts';
import { useMachines } from '../store/machines.ts';
import { useMoves } from '../store/moves.ts';
import { Card } from './card.tsx';
import { lazyPart } from './lazy.tsx';
import { Loaded } from './loaded.tsx';
import { StateChip } from './stateChip.tsx';
import type { TypedPath } from '../model/routeAnswers.ts';

const timelineHeight = 360;
const Timeline = lazyPart(async () => (await import('./timeline/timeline.tsx')).Timeline, timelineHeight);

interface LifecycleProps {
  /** The id of the resource in each of its machines. */
  readonly id: string;
  readonly name: string;
  /** The plural noun, for sentences. */
  readonly what: string;
  /** Where its moves are. */
  readonly path: TypedPath<Transitions>;
  readonly explained: Reloading<Explanations>;
  /** The one machine that it is about, where the page is about one. */
  readonly only?: string;
}

/** The machines of a resource, each with its way through it, and all their moves. */
export function Lifecycle({ id, name, what, path, explained, only }: LifecycleProps) {
  const isShown = ({ machine }: { readonly machine: string }) => only === undefined || machine === only;
  const machines = useMachines();
  const { value, ...read } = useMoves(path, { id });
  const transitions = { ...read, value: value && { ...value, items: value.items.filter(isShown) } };
  const moves = transitions.value?.items ?? [];
  const machineOf = (machine: string) => machines.value?.items.find((one) => one.name === machine);
  return (
    <>
      <Loaded of={explained} height={420}>
        {({ items }) => (
          <Loaded of={machines} height={420}>
            {() =>
              items
                .filter(isShown)
                .toReversed()
                .map((explanation) => (
                  <Way
                    key={explanation.machine}
                    id={id}
                    what={what}
                    machine={machineOf(explanation.machine)}
                    explanation={explanation}
                    moves={moves.filter(({ machine }) => machine === explanation.machine)}
                  />
                ))
            }
          </Loaded>
        )}
      </Loaded>
      <Timeline
        name={name}
        transitions={transitions}
        path={path}
        shownOf={(state, machine) => machineOf(machine)?.states.find((one) => one.name === state)?.shown ?? state}
      />
    </>
  );
}

interface WayProps extends Pick<LifecycleProps, 'id' | 'what'> {
  /** Undefined where the server no longer has it. */
  readonly machine: Machine | undefined;
  readonly explanation: Explanation;
  readonly moves: Transitions['items'];
}

const Way = ({ id, what, machine, explanation, moves }: WayProps) =>
  machine && (
    <Card
      title={<a href={addressOf.instance(machine.name, id)}>{machine.name}</a>}
      label={`Machine ${machine.name}`}
      actions={<StateChip state={explanation.state} shown={explanation.shown} />}
    >
      <Diagram
        machine={machine}
        counts={{}}
        marks={{ current: explanation.state, moves, next: new Set(explanation.next.map(({ row }) => row)) }}
        what={what}
        addressOf={(state) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [state] }))}
      />
    </Card>
  );
