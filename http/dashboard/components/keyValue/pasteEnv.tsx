import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Choice } from '../choice.tsx';
import { Dialog } from '../dialog.tsx';
import { plural } from '../../model/plural.ts';
import { readEnv } from '../../../../rules/variables/env.ts';
import { type OwnKind, type VariableRow, withEnv } from '../../model/variables.ts';
import { EnvLines } from './envLines.tsx';

interface PasteEnvProps {
  readonly rows: readonly VariableRow[];
  readonly onRows: (rows: readonly VariableRow[]) => void;
  readonly onClose: () => void;
}

/** Takes many variables from the text of a .env file. */
export function PasteEnv({ rows, onRows, onClose }: PasteEnvProps) {
  const text = useSignal('');
  const kind = useSignal<OwnKind>('config');
  const read = useMemo(() => readEnv(text.value), [text.value]);
  const { variables, problems } = read;
  const others = problems.length === 0 ? '' : `, leave out ${problems.length}`;
  const use = (event: Event) => {
    event.preventDefault();
    onRows(withEnv(rows, variables, kind.value));
    onClose();
  };
  return (
    <Dialog title="Paste .env" onClose={onClose}>
      <form class="form" onSubmit={use}>
        <label class="field">
          Lines such as NAME=value
          <textarea
            class="input area mono"
            rows={8}
            spellcheck={false}
            aria-invalid={problems.length > 0}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <EnvLines {...read} />
        <fieldset class="choices">
          <legend>New names are</legend>
          <Choice
            name="kind"
            value="config"
            label="config"
            help="In plain sight of admins and observers."
            chosen
            onChoose={() => (kind.value = 'config')}
          />
          <Choice
            name="kind"
            value="secret"
            label="secret"
            help="Stored in a Secret and never shown again."
            onChoose={() => (kind.value = 'secret')}
          />
        </fieldset>
        <div class="dialog-end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={variables.length === 0}>
            Take {plural(variables.length, 'variable')}
            {others}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
