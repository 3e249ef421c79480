import type { Summary } from '../../../api.ts';
import { FilterTools } from '../../parts/filter/filterBar.tsx';
import { Sign } from '../../parts/sign.tsx';
import { grouped } from '../../words/plural.ts';
import { countsByState, kindWords, type ServiceFilter } from '../../words/serviceFilter.ts';
import { lookOf, stateWord } from '../../words/state.ts';

interface ServiceFiltersProps {
  readonly services: readonly Summary[];
  readonly shown: number;
  readonly filter: ServiceFilter;
  readonly onFilter: (filter: ServiceFilter) => void;
}

const toggled = (states: readonly string[], state: string): readonly string[] =>
  states.includes(state) ? states.filter((one) => one !== state) : [...states, state];

/** The filters of a list of services: text, state, kind, retrying, stuck. */
export const ServiceFilters = ({ services, shown, filter, onFilter }: ServiceFiltersProps) => (
  <>
    <FilterTools filter={filter} onChange={(changed) => onFilter({ ...filter, ...changed })} />
    <div class="service-states">
      <div class="machine-figures" role="group" aria-label="States">
        {countsByState(services).map(([state, count]) => (
          <button
            key={state}
            type="button"
            class="count-chip"
            data-tone={lookOf(state).tone}
            aria-pressed={filter.states.includes(state)}
            onClick={() => onFilter({ ...filter, states: toggled(filter.states, state) })}
          >
            <Sign name={lookOf(state).sign} />
            <span>{stateWord(state)}</span>
            <b>{grouped(count)}</b>
          </button>
        ))}
      </div>
      <label class="check">
        Kind
        <select
          class="select"
          value={filter.kind}
          onChange={(event) => onFilter({ ...filter, kind: event.currentTarget.value })}
        >
          <option value="">all</option>
          {Object.entries(kindWords).map(([kind, word]) => (
            <option key={kind} value={kind}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <span class="muted small row-end" role="status">
        {grouped(shown)} of {grouped(services.length)}
      </span>
    </div>
  </>
);
