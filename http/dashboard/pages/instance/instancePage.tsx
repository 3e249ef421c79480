import type { Explanation, InstanceRead, StreamEvent, Transitions } from '../../../api.ts';
import { api } from '../../api.ts';
import { Frame } from '../../parts/frame.tsx';
import { Bones, Failed } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { useMachines } from '../../store/machines.ts';
import { InstanceHead } from './instanceHead.tsx';
import { OtherMachines } from './otherMachines.tsx';
import { Standing } from './standing.tsx';

/** Every machine of an object has the same id: what moves another one concerns this one too. */
const concerns = (id: string) => (event: StreamEvent) => {
  switch (event.event) {
    case 'move':
    case 'instance':
    case 'deleted':
      return event.data.id === id;
    case 'tick':
      return true;
    case 'hello':
    case 'reset':
      return false;
  }
};

interface InstancePageProps {
  readonly machine: string;
  readonly id: string;
}

/** One instance of any machine: where it stands and why, what moved it, and where the others of its object stand. */
export function InstancePage({ machine: name, id }: InstancePageProps) {
  const path = api.instance(name, id);
  const instance = useLoaded<InstanceRead>(path, concerns(id));
  const explanation = useLoaded<Explanation>(`${path}/explain`, concerns(id));
  const transitions = useLoaded<Transitions>(`${path}/transitions`, concerns(id));
  const machine = useMachines().value?.items.find((item) => item.name === name) ?? null;
  const reload = () => {
    instance.reload();
    explanation.reload();
    transitions.reload();
  };
  const { value, failed } = instance;
  return (
    <Frame title={value ? `${value.shown}: ${value.name}` : id}>
      <div class="stack">
        <InstanceHead machine={name} id={id} instance={value} onDone={reload} />
        <Failed failed={failed} stale={value !== null} retry={reload} />
        {value === null && failed === null && <Bones height={600} />}
        {value && (
          <Standing
            name={value.name}
            state={value.state}
            explanation={explanation}
            transitions={transitions}
            machine={machine}
            historyPath={`${path}/transitions`}
            moveAddress={(seq) => `${addressOf.instance(name, id)}#move-${seq}`}
            aside={<OtherMachines instance={value} />}
          />
        )}
      </div>
    </Frame>
  );
}
