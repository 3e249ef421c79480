import { address, go } from '../../router.ts';
import { grouped } from '../../words/plural.ts';

interface FilterFieldProps {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** Filters a list by text; the filter is part of the address. */
export const FilterField = ({ text, shown, total }: FilterFieldProps) => (
  <div class="tools">
    <input
      class="input"
      type="search"
      placeholder="Filter"
      aria-label="Filter"
      value={text}
      onInput={(event) => {
        const { value } = event.currentTarget;
        go(`${address.peek().path}${value === '' ? '' : `?q=${encodeURIComponent(value)}`}`, 'replace');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') go(address.peek().path, 'replace');
      }}
    />
    <span class="muted small" role="status">
      {grouped(shown)} of {grouped(total)}
    </span>
  </div>
);
