import { useSignal } from '@preact/signals';
import { Choice } from '../choice.tsx';
import { Dialog } from '../dialog.tsx';
import { plural } from '../../words/plural.ts';
import { type OwnKind, readEnv, type VariableRow, withEnv } from '../../words/variables.ts';

interface PasteEnvProps {
  readonly rows: readonly VariableRow[];
  readonly onRows: (rows: readonly VariableRow[]) => void;
  readonly onClose: () => void;
}

/** Takes many variables from the text of a .env file. */
export function PasteEnv({ rows, onRows, onClose }: PasteEnvProps) {
  const text = useSignal('');
  const kind = useSignal<OwnKind>('config');
  const count = readEnv(text.value).length;
  const use = (event: Event) => {
    event.preventDefault();
    onRows(withEnv(rows, text.value, kind.value));
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
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <fieldset class="choices">
          <legend>New names are</legend>
          <Choice
            name="kind"
            value="config"
            word="config"
            means="In plain sight of admins and observers."
            chosen
            onChoose={() => (kind.value = 'config')}
          />
          <Choice
            name="kind"
            value="secret"
            word="secret"
            means="Stored in a Secret and never shown again."
            onChoose={() => (kind.value = 'secret')}
          />
        </fieldset>
        <div class="dialog-end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={count === 0}>
            Take {plural(count, 'variable')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
