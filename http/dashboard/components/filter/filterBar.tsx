import type { ComponentChildren } from 'preact';
import { everything, type Filter, isNarrowed } from '../../model/filter.ts';
import { go } from '../../router.ts';
import type { StateCount } from '../../model/stateCounts.ts';
import { StateCounts } from './stateCounts.tsx';
import { StuckField } from './stuckField.tsx';
import { toFirstRow } from './toFirstRow.ts';

interface FilterBarProps {
  /** What is filtered: `services`. */
  readonly what: string;
  readonly filter: Filter;
  /** The address of the same page under another filter. */
  readonly addressOf: (filter: Filter) => string;
  readonly states: readonly StateCount[];
  /** How many are shown, and of how many. */
  readonly count: string;
  /** Whether text is looked for in names alone. */
  readonly byName?: boolean;
  /** Whether things of this kind are retried and get stuck. */
  readonly moves: boolean;
  /** Fields that only this page has. */
  readonly children?: ComponentChildren;
  /** A word about the list beside its count. */
  readonly note?: string;
}

const leave = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
  if (event.key === 'Escape') event.currentTarget.blur();
  toFirstRow(event);
};

/** The filter with a state more, or without one that it had. */
const toggled = (filter: Filter, state: string): Filter => {
  const without = filter.states.filter((other) => other !== state);
  return { ...filter, states: without.length === filter.states.length ? [...filter.states, state] : without };
};

/** Filters a list by state, text and how it fares; every part of the filter is in the address. */
export function FilterBar({
  what,
  filter,
  addressOf,
  states,
  count,
  byName = false,
  moves,
  children,
  note,
}: FilterBarProps) {
  const change = (part: Partial<Filter>) => go(addressOf({ ...filter, ...part }), 'replace');
  const { sort, reversed } = filter;
  return (
    <>
      {states.length > 0 && (
        <div class="filter-states">
          <StateCounts
            label={`States of ${what}`}
            states={states}
            chosen={filter.states}
            addressOf={(state) => addressOf(toggled(filter, state))}
          />
        </div>
      )}
      <div class="tools" role="search" aria-label={`Filter ${what}`}>
        <input
          class="input"
          type="search"
          aria-label="Filter"
          placeholder={byName ? 'Filter by name   ( / )' : 'Filter   ( / )'}
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || filter.text === '') return leave(event);
            event.preventDefault();
            change({ text: '' });
          }}
        />
        {moves && (
          <>
            <label class="check">
              <input
                type="checkbox"
                checked={filter.retrying}
                onChange={(event) => change({ retrying: event.currentTarget.checked })}
              />
              Retrying
            </label>
            <StuckField
              seconds={filter.stuckSeconds}
              onChange={(stuckSeconds) => change({ stuckSeconds })}
              onKeyDown={leave}
            />
          </>
        )}
        {children}
        {isNarrowed(filter) && (
          <button
            type="button"
            class="button button-plain"
            onClick={() => go(addressOf({ ...everything, sort, reversed }), 'replace')}
          >
            Clear
          </button>
        )}
        <span class="muted small row-end" role="status">
          {count}
          {note !== undefined && note !== '' && ` · ${note}`}
        </span>
      </div>
    </>
  );
}
