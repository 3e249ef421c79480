import type { Machine } from '../../../api.ts';
import { grouped } from '../../words/plural.ts';
import { lookOf, subtitleOf } from '../../words/state.ts';
import { Sign } from '../sign.tsx';

interface StateCountsProps {
  readonly machine: Machine;
  readonly counts: Readonly<Record<string, number>>;
  readonly chosen: readonly string[];
  readonly addressOf: (state: string) => string;
  /** Shows only states that have instances. */
  readonly held?: boolean;
}

/**
 * The states of a machine with their counts, as links. A state that no arrow reaches is shown only while it has
 * instances.
 */
export function StateCounts({ machine, counts, chosen, addressOf, held = false }: StateCountsProps) {
  const known = new Map(machine.states.map(({ name, shown }) => [name, shown]));
  const reached = new Set([machine.initial, ...machine.rows.map(({ to }) => to)]);
  const others = Object.keys(counts).filter((state) => !known.has(state));
  const states = [...known.keys(), ...others].filter(
    (state) => (!held && reached.has(state)) || (counts[state] ?? 0) > 0,
  );
  return (
    <nav class="machine-figures" aria-label={`States of ${machine.name}`}>
      {states.map((state) => (
        <a
          key={state}
          class={`count-chip${(counts[state] ?? 0) === 0 ? ' count-chip-none' : ''}`}
          href={addressOf(state)}
          data-tone={lookOf(state).tone}
          aria-current={chosen.includes(state) ? 'true' : undefined}
        >
          <Sign name={lookOf(state).sign} />
          <span>
            {known.get(state) ?? state}
            <span class="muted small"> {subtitleOf(state)}</span>
          </span>
          <b>{grouped(counts[state] ?? 0)}</b>
        </a>
      ))}
    </nav>
  );
}
