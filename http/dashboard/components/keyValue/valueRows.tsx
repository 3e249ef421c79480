import type { VariableRow } from '../../model/variables.ts';
import { isDirty } from '../../model/variables.ts';
import { hasReturnHelp } from './text.ts';

interface ValueRowsProps {
  readonly rows: readonly VariableRow[];
  /** The row that was just added, whose name is typed next. */
  readonly added: number;
  readonly onChange: (rows: readonly VariableRow[]) => void;
}

const focus = (input: HTMLInputElement | null) => input?.focus();

/** One line of fields for each variable. */
export const ValueRows = ({ rows, added, onChange }: ValueRowsProps) => {
  const set = (id: number, change: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const remove = ({ id, saved, isRemoved }: VariableRow) =>
    saved === null ? onChange(rows.filter((row) => row.id !== id)) : set(id, { isRemoved: !isRemoved });
  return (
    <ul class="variables">
      {rows.map((row) => (
        <li key={row.id} class={row.isRemoved ? 'variable variable-removed' : 'variable'} data-dirty={isDirty(row)}>
          <input
            ref={row.id === added ? focus : null}
            class="input mono"
            aria-label="Name"
            placeholder="NAME"
            value={row.name}
            readOnly={row.saved !== null}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => set(row.id, { name: event.currentTarget.value })}
          />
          <ValueField row={row} isLocked={row.isRemoved} onValue={(value) => set(row.id, { value })} />
          <select
            class="select"
            aria-label={`Kind of ${row.name}`}
            value={row.kind}
            disabled={row.isRemoved}
            onChange={(event) => set(row.id, { kind: event.currentTarget.value === 'secret' ? 'secret' : 'config' })}
          >
            <option value="config">config</option>
            <option value="secret">secret</option>
          </select>
          <button
            type="button"
            class="button"
            aria-label={`${row.isRemoved ? 'Keep' : 'Remove'} ${row.name}`}
            onClick={() => remove(row)}
          >
            {row.isRemoved ? 'Keep' : 'Remove'}
          </button>
        </li>
      ))}
    </ul>
  );
};

interface ValueFieldProps {
  readonly row: VariableRow;
  readonly isLocked: boolean;
  readonly onValue: (value: string) => void;
}

const maxLines = 8;
const linesOf = (text: string): number => Math.min(text.split('\n').length, maxLines);

/**
 * The value of a variable, which may have several lines; what is typed for a secret is not readable on the screen. The field
 * would make a line end of a carriage return, so a value with one is left to the text.
 */
function ValueField({ row: { name, kind, value, saved }, isLocked, onValue }: ValueFieldProps) {
  const hasReturn = value.includes('\r');
  return (
    <textarea
      class={kind === 'secret' ? 'input value mono hidden-text' : 'input value mono'}
      aria-label={`Value of ${name}`}
      placeholder={saved?.kind === 'secret' ? 'stored, never shown' : ''}
      rows={linesOf(value)}
      value={value}
      readOnly={isLocked || hasReturn}
      title={hasReturn ? hasReturnHelp : undefined}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}
