import { useSignal } from '@preact/signals';
import { plural } from '../../words/plural.ts';
import { envOf, fromEnv, type VariableRow } from '../../words/variables.ts';

interface EnvTextProps {
  readonly rows: readonly VariableRow[];
  readonly onRows: (rows: readonly VariableRow[]) => void;
}

/** The plain variables as the text of a .env file; secrets stay rows, since their values are never shown. */
export function EnvText({ rows, onRows }: EnvTextProps) {
  const typed = useSignal(envOf(rows));
  // Rows that changed otherwise, such as by Cancel, are shown anew; what is being typed is left as it is.
  if (envOf(fromEnv(rows, typed.value)) !== envOf(rows)) typed.value = envOf(rows);
  const secrets = rows.filter(({ kind, isRemoved }) => kind === 'secret' && !isRemoved).length;
  return (
    <div class="card-body form">
      <label class="field">
        Lines such as NAME=value
        <textarea
          class="input area mono"
          rows={Math.max(8, rows.length + 2)}
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            onRows(fromEnv(rows, event.currentTarget.value));
          }}
        />
      </label>
      {secrets > 0 && (
        <p class="muted small">
          {plural(secrets, 'secret')} {secrets === 1 ? 'is' : 'are'} not in the text: edit secrets as rows.
        </p>
      )}
    </div>
  );
}
