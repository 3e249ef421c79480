import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { everything, type Filter, readSeconds, writeFilter } from '../../filter.ts';

interface FilterToolsProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

const isNarrowed = (filter: Filter) =>
  writeFilter({ ...filter, sort: everything.sort, reversed: everything.reversed }) !== '';

const leave = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
  if (event.key === 'Escape') event.currentTarget.blur();
};

/** The filters beside the states: text, retrying, stuck for longer than. */
export const FilterTools = ({ filter, onChange }: FilterToolsProps) => (
  <div class="tools" role="search">
    <input
      class="input"
      type="search"
      aria-label="Search"
      placeholder="Search   ( / )"
      value={filter.text}
      onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || filter.text === '') return leave(event);
        event.preventDefault();
        onChange({ ...filter, text: '' });
      }}
    />
    <label class="check">
      <input
        type="checkbox"
        checked={filter.retrying}
        onChange={(event) => onChange({ ...filter, retrying: event.currentTarget.checked })}
      />
      Retrying
    </label>
    <StuckField seconds={filter.stuckSeconds} onChange={(stuckSeconds) => onChange({ ...filter, stuckSeconds })} />
    <button
      type="button"
      class="button button-plain"
      disabled={!isNarrowed(filter)}
      onClick={() => onChange({ ...everything, sort: filter.sort, reversed: filter.reversed })}
    >
      Clear
    </button>
  </div>
);

interface StuckFieldProps {
  readonly seconds: number | null;
  readonly onChange: (seconds: number | null) => void;
}

/** Keeps the text as typed, because `5m` and `300` are the same filter. */
function StuckField({ seconds, onChange }: StuckFieldProps) {
  const text = useSignal('');
  useEffect(() => {
    if (readSeconds(text.peek()) !== seconds) text.value = seconds === null ? '' : shortest(seconds);
  }, [seconds]);
  const isWrong = text.value.trim() !== '' && readSeconds(text.value) === null;
  return (
    <label class="check">
      Stuck longer than
      <input
        class="input stuck"
        placeholder="5m, 2h"
        value={text.value}
        aria-invalid={isWrong}
        title="A time such as 90s, 5m, 2h or 1d"
        onInput={(event) => {
          text.value = event.currentTarget.value;
          onChange(readSeconds(text.value));
        }}
        onKeyDown={leave}
      />
    </label>
  );
}

/** `300` seconds as `5m`. */
function shortest(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
