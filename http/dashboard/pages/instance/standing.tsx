import type { ComponentChildren } from 'preact';
import type { Explanation, Machine, Transitions } from '../../../api.ts';
import { Diagram } from '../../diagram/diagram.tsx';
import type { Marks } from '../../diagram/marks.ts';
import { everything, writeFilter } from '../../filter.ts';
import { Bones, Failed } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import type { Loaded } from '../../store/loaded.ts';
import { ExplainCard } from './explainCard.tsx';
import { NextCard } from './nextCard.tsx';
import { Timeline } from './timeline.tsx';

interface StandingProps {
  readonly name: string;
  readonly state: string;
  readonly explanation: Loaded<Explanation> & { readonly reload: () => void };
  readonly transitions: Loaded<Transitions>;
  readonly machine: Machine | null;
  /** Where the moves are read as JSON. */
  readonly historyPath: string;
  readonly moveAddress: (seq: number) => string;
  /** What its kind tells of it. */
  readonly aside: ComponentChildren;
}

/** Why an instance stands where it stands, its way through the machine, and what is known of it. */
export function Standing({
  name,
  state,
  explanation,
  transitions,
  machine,
  historyPath,
  moveAddress,
  aside,
}: StandingProps) {
  const marks: Marks = {
    current: state,
    moves: transitions.value?.items ?? [],
    next: new Set(explanation.value?.next.map(({ row }) => row)),
  };
  const shownOf = (other: string) => machine?.states.find((one) => one.name === other)?.shown ?? other;
  return (
    <>
      <Failed failed={explanation.failed} stale={explanation.value !== null} />
      {explanation.value && <ExplainCard explanation={explanation.value} onDue={explanation.reload} />}
      {!explanation.value && !explanation.failed && <Bones height={132} />}
      {machine ? (
        <section class="card" aria-label="Its way through the machine">
          <Diagram
            machine={machine}
            counts={{}}
            marks={marks}
            addressOf={(other) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [other] }))}
          />
        </section>
      ) : (
        <Bones height={420} />
      )}
      <div class="columns">
        {aside}
        <div class="stack">
          <section class="card" aria-label="Timeline">
            <div class="card-head">
              <h2>Timeline</h2>
              <span class="muted small">newest first</span>
              <a class="row-end small" href={historyPath} download={`${name}-history.json`}>
                History as JSON
              </a>
            </div>
            <Failed failed={transitions.failed} stale={transitions.value !== null} />
            {transitions.value && (
              <Timeline transitions={transitions.value} shownOf={shownOf} moveAddress={moveAddress} />
            )}
            {!transitions.value && !transitions.failed && (
              <div class="card-body">
                <Bones height={280} />
              </div>
            )}
          </section>
          {explanation.value && <NextCard explanation={explanation.value} shownOf={shownOf} />}
        </div>
      </div>
    </>
  );
}
