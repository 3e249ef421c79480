import type { Signal } from '@preact/signals';
import type { EnvRead } from '../../../../rules/variables/env.ts';
import { plural } from '../../model/plural.ts';
import { textOf, type VariableRow } from '../../model/variables.ts';
import { EnvLines } from './envLines.tsx';

interface EnvTextProps {
  readonly rows: readonly VariableRow[];
  /** What is typed, null where the rows tell. */
  readonly typed: Signal<string | null>;
  readonly read: EnvRead;
  readonly onText: (text: string) => void;
}

/** The plain variables as the text of a .env file; secrets stay rows, since their values are never shown. */
export function EnvText({ rows, typed, read, onText }: EnvTextProps) {
  const secrets = rows.filter(({ kind, isRemoved }) => kind === 'secret' && !isRemoved).length;
  return (
    <div class="card-body form">
      <label class="field">
        Lines such as NAME=value
        <textarea
          class="input area mono"
          rows={Math.max(8, rows.length + 2)}
          spellcheck={false}
          aria-invalid={read.problems.length > 0}
          value={typed.value ?? textOf(rows)}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      <EnvLines {...read} />
      {secrets > 0 && (
        <p class="muted small">
          {plural(secrets, 'secret')} {secrets === 1 ? 'is' : 'are'} not in the text: edit secrets as rows.
        </p>
      )}
    </div>
  );
}
