import { grouped } from '../../model/plural.ts';
import { lookOf, subtitleOf } from '../../model/state.ts';
import type { StateCount } from '../../model/stateCounts.ts';
import { Icon } from '../icon.tsx';

interface StateCountsProps {
  readonly label: string;
  readonly states: readonly StateCount[];
  readonly chosen: readonly string[];
  readonly addressOf: (state: string) => string;
}

/** States with their counts, as links. */
export const StateCounts = ({ label, states, chosen, addressOf }: StateCountsProps) => (
  <nav class="machine-figures" aria-label={label}>
    {states.map(({ state, shown, count }) => (
      <a
        key={state}
        class={`count-chip${count === 0 ? ' count-chip-none' : ''}`}
        href={addressOf(state)}
        data-tone={lookOf(state).tone}
        aria-current={chosen.includes(state) ? 'true' : undefined}
      >
        <Icon name={lookOf(state).sign} />
        <span>
          {shown}
          <span class="muted small"> {subtitleOf(state)}</span>
        </span>
        {count !== null && <b>{grouped(count)}</b>}
      </a>
    ))}
  </nav>
);
