import type { BuildRead, Explanation, Machine, Transitions } from '../../../api.ts';
import { Diagram } from '../../diagram/diagram.tsx';
import type { Marks } from '../../diagram/marks.ts';
import { everything, writeFilter } from '../../filter.ts';
import { Bones, Failed } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import type { Loaded } from '../../store/loaded.ts';
import { ExplainCard } from './explainCard.tsx';
import { FactsPanel } from './factsPanel.tsx';
import { NextCard } from './nextCard.tsx';
import { Timeline } from './timeline.tsx';

interface OverviewProps {
  readonly build: BuildRead;
  readonly explanation: Loaded<Explanation> & { readonly reload: () => void };
  readonly transitions: Loaded<Transitions>;
  readonly machine: Machine | null;
}

/** Why a build stands where it stands, its way through the machine, and its facts. */
export function Overview({ build, explanation, transitions, machine }: OverviewProps) {
  const marks: Marks = {
    current: build.state,
    moves: transitions.value?.items ?? [],
    next: new Set(explanation.value?.next.map(({ row }) => row)),
  };
  const shownOf = (state: string) => machine?.states.find(({ name }) => name === state)?.shown ?? state;
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
            addressOf={(state) => addressOf.machine(machine.name, writeFilter({ ...everything, states: [state] }))}
          />
        </section>
      ) : (
        <Bones height={420} />
      )}
      <div class="columns">
        <FactsPanel build={build} />
        <div class="stack">
          <section class="card" aria-label="Timeline">
            <div class="card-head">
              <h2>Timeline</h2>
              <span class="muted small">newest first</span>
              <a
                class="row-end small"
                href={`/api/v1/builds/${encodeURIComponent(build.name)}/transitions`}
                download={`${build.name}-history.json`}
              >
                History as JSON
              </a>
            </div>
            <Failed failed={transitions.failed} stale={transitions.value !== null} />
            {transitions.value && <Timeline transitions={transitions.value} shownOf={shownOf} />}
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
