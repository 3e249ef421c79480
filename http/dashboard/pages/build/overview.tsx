import type { BuildRead, Explanation, Machine, Transitions } from '../../../api.ts';
import type { Answer } from '../../api.ts';
import { Diagram } from '../../diagram/diagram.tsx';
import type { Marks } from '../../diagram/marks.ts';
import { everything, writeFilter } from '../../filter.ts';
import { Bones, Failed } from '../../parts/note.tsx';
import { addressOf } from '../../routes.ts';
import { ExplainCard } from './explainCard.tsx';
import { FactsPanel } from './factsPanel.tsx';
import { NextCard } from './nextCard.tsx';
import { Timeline } from './timeline.tsx';

type Failure = Exclude<Answer<unknown>, { readonly is: 'ok' }>;

interface OverviewProps {
  readonly build: BuildRead;
  readonly explanation: Explanation | null;
  readonly explainFailed: Failure | null;
  readonly transitions: Transitions | null;
  readonly transitionsFailed: Failure | null;
  readonly machine: Machine | null;
  readonly onDue: () => void;
}

/** Why a build stands where it stands, its way through the machine, and its facts. */
export function Overview(props: OverviewProps) {
  const { build, explanation, explainFailed, transitions, transitionsFailed, machine, onDue } = props;
  const marks: Marks = {
    current: build.state,
    moves: transitions?.items ?? [],
    next: new Set(explanation?.next.map(({ row }) => row)),
  };
  const shownOf = (state: string) => machine?.states.find(({ name }) => name === state)?.shown ?? state;
  return (
    <>
      <Failed failed={explainFailed} stale={explanation !== null} />
      {explanation && <ExplainCard explanation={explanation} onDue={onDue} />}
      {!explanation && !explainFailed && <Bones height={132} />}
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
            <Failed failed={transitionsFailed} stale={transitions !== null} />
            {transitions && <Timeline transitions={transitions} shownOf={shownOf} />}
            {!transitions && !transitionsFailed && (
              <div class="card-body">
                <Bones height={280} />
              </div>
            )}
          </section>
          {explanation && <NextCard explanation={explanation} shownOf={shownOf} />}
        </div>
        <FactsPanel build={build} />
      </div>
    </>
  );
}
