import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Choice } from '../choice.tsx';
import { Dialog } from '../dialog.tsx';
import { plural } from '../../model/plural.ts';
import { readEnv } from '../../../../rules/variables/env.ts';
import { type OwnKind, type VariableRow, withEnv } from '../../model/variables.ts';
import { EnvLines } from './envLines.tsx';
import { Form, nothingSent } from '../form/form.tsx';
import { submitButton } from '../form/formButtons.tsx';
import { plainHelp, secretHelp } from './text.ts';

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
  return (
    <Dialog title="Paste .env" onClose={onClose}>
      <Form
        send={() => Promise.resolve(nothingSent)}
        onDone={() => {
          onRows(withEnv(rows, variables, kind.value));
          onClose();
        }}
        buttons={submitButton(`Take ${plural(variables.length, 'variable')}${others}`, 'Taking', {
          isDisabled: variables.length === 0,
        })}
        onCancel={onClose}
      >
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
            help={plainHelp}
            chosen
            onChoose={() => (kind.value = 'config')}
          />
          <Choice
            name="kind"
            value="secret"
            label="secret"
            help={secretHelp}
            onChoose={() => (kind.value = 'secret')}
          />
        </fieldset>
      </Form>
    </Dialog>
  );
}
