import type { ComponentChildren } from 'preact';
import type { Explanation, InstanceRead, Machine } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Diagram } from '../../diagram/diagram.tsx';
import type { Marks } from '../../diagram/marks.ts';
import { everything, writeFilter } from '../../model/filter.ts';
import { instancesOf } from '../../kindPages/kinds.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { Skeleton } from '../../components/note.tsx';
import { addressOf } from '../../routes.ts';
import { useMachines } from '../../store/machines.ts';
import type { Reading } from './reading.ts';
import { pathTo } from '../../api.ts';

const Timeline = lazyPart(async () => (await import('../../components/timeline/timeline.tsx')).Timeline, 360);
const NextCard = lazyPart(async () => (await import('./nextCard.tsx')).NextCard, 260);

interface StandingProps {
  readonly reading: Reading;
  readonly instance: InstanceRead;
  /** Its facts and its other machines. */
  readonly aside: ComponentChildren;
}

/** The path of an instance through its machine, its moves, what can happen next, and its facts. */
export function Standing({ reading, instance, aside }: StandingProps) {
  const { machine: name, id, transitions } = reading;
  const machine = useMachines().value?.items.find((item) => item.name === name) ?? null;
  /** A deleted object has no explanation. */
  const explanation = instance.deletedAt === undefined ? reading.explanation.value : null;
  const shownOf = (state: string) => machine?.states.find((one) => one.name === state)?.shown ?? state;
  return (
    <>
      {machine ? (
        <Way machine={machine} marks={marksOf(instance, transitions.value?.items ?? [], explanation)} />
      ) : (
        <Skeleton height={420} />
      )}
      <div class="columns">
        <div class="stack">
          <Timeline
            name={`${instance.name}-${name}`}
            transitions={transitions}
            path={pathTo('GET /machines/{machine}/instances/{instance}/transitions', { machine: name, instance: id })}
            shownOf={shownOf}
          />
          {explanation && <NextCard explanation={explanation} shownOf={shownOf} />}
        </div>
        <div class="aside stack">{aside}</div>
      </div>
    </>
  );
}

const marksOf = ({ state }: InstanceRead, moves: Marks['moves'], explanation: Explanation | null): Marks => ({
  current: state,
  moves,
  next: new Set(explanation?.next.map(({ row }) => row)),
});

const Way = ({ machine, marks }: { readonly machine: Machine; readonly marks: Marks }) => (
  <Card label="Path through the machine">
    <Diagram
      machine={machine}
      counts={{}}
      marks={marks}
      what={instancesOf(machine.kinds)}
      addressOf={(other) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [other] }))}
    />
  </Card>
);
