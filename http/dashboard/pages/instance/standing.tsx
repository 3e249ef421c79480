import type { ComponentChildren } from 'preact';
import type { InstanceRead, Machine } from '../../../api.ts';
import { api } from '../../api.ts';
import { Diagram } from '../../diagram/diagram.tsx';
import type { Marks } from '../../diagram/marks.ts';
import { everything, writeFilter } from '../../filter.ts';
import { instancesOf } from '../../kinds/kinds.ts';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import { useMachines } from '../../store/machines.ts';
import { ExplainCard } from '../../parts/banner/banner.tsx';
import { NextCard } from './nextCard.tsx';
import type { Reading } from './reading.ts';
import { Timeline } from '../../parts/timeline/timeline.tsx';

interface StandingProps {
  readonly reading: Reading;
  readonly instance: InstanceRead;
  /** The facts of its kind, and its other machines. */
  readonly aside: ComponentChildren;
}

/** Why an instance is in its state, its path through the machine, and its facts. */
export function Standing({ reading, instance, aside }: StandingProps) {
  const machine = useMachines().value?.items.find((item) => item.name === reading.machine) ?? null;
  const { transitions } = reading;
  /** A deleted object has no explanation. */
  const explanation = instance.deletedAt === undefined ? reading.explanation : null;
  const shownOf = (other: string) => machine?.states.find((one) => one.name === other)?.shown ?? other;
  const marks: Marks = {
    current: instance.state,
    moves: transitions.value?.items ?? [],
    next: new Set(explanation?.value?.next.map(({ row }) => row)),
  };
  return (
    <>
      {explanation && <Explained explanation={explanation} />}
      {machine ? <Way machine={machine} marks={marks} /> : <Skeleton height={420} />}
      <div class="columns">
        <div class="aside stack">{aside}</div>
        <div class="stack">
          <History reading={reading} name={instance.name} shownOf={shownOf} />
          {explanation?.value && <NextCard explanation={explanation.value} shownOf={shownOf} />}
        </div>
      </div>
    </>
  );
}

const Explained = ({ explanation }: { readonly explanation: Reading['explanation'] }) => (
  <>
    <Failed failed={explanation.failed} readAt={explanation.readAt} />
    {explanation.value && <ExplainCard explanation={explanation.value} onDue={explanation.reload} />}
    {!explanation.value && !explanation.failed && <Skeleton height={132} />}
  </>
);

const Way = ({ machine, marks }: { readonly machine: Machine; readonly marks: Marks }) => (
  <section class="card" aria-label="Its way through the machine">
    <Diagram
      machine={machine}
      counts={{}}
      marks={marks}
      what={instancesOf(machine.kinds)}
      addressOf={(other) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [other] }))}
    />
  </section>
);

interface HistoryProps {
  readonly reading: Reading;
  readonly name: string;
  /** The displayed word of each state. */
  readonly shownOf: (state: string) => string;
}

const History = ({ reading: { machine, id, transitions }, name, shownOf }: HistoryProps) => (
  <section class="card" aria-label="Timeline">
    <div class="card-head">
      <h2>Timeline</h2>
      <span class="muted small">newest first</span>
      <a
        class="row-end small"
        href={`${api.instance(machine, id)}/transitions`}
        download={`${name}-${machine}-history.json`}
      >
        History as JSON
      </a>
    </div>
    <Failed failed={transitions.failed} readAt={transitions.readAt} />
    {transitions.value && (
      <Timeline
        transitions={transitions.value}
        shownOf={shownOf}
        moveAddress={(seq) => `${addressOf.instance(machine, id)}#move-${seq}`}
      />
    )}
    {!transitions.value && !transitions.failed && (
      <div class="card-body">
        <Skeleton height={280} />
      </div>
    )}
  </section>
);
