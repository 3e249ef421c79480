import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { keysBody, keysOfProvider } from '../../model/cloudAccounts.ts';
import { detailOf } from '../../model/details.ts';
import type { FormValues } from '../../model/form.ts';
import { write } from '../../api.ts';
import { newKeysHelp } from './text.ts';

interface ReplaceKeysProps {
  readonly connection: Summary;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Other keys for an account that stays the same, as they are rotated. */
export function ReplaceKeys({ connection, onDone, onClose }: ReplaceKeysProps) {
  const { name, project } = connection;
  const provider = detailOf(connection, 'provider');
  const values = useSignal<FormValues>({});
  return (
    <Dialog title={`Replace the keys of ${name}`} onClose={onClose}>
      <Form
        problem={() => (keysBody(provider, values.value) === null ? 'Type the new keys.' : null)}
        send={() =>
          write(
            'PATCH /projects/{project}/cloud-connections/{connection}',
            { project, connection: name },
            keysBody(provider, values.value) ?? {},
          )
        }
        onDone={() => {
          onDone();
          onClose();
        }}
        buttons={submitButton('Replace keys', 'Replacing')}
        onCancel={onClose}
      >
        <p>{newKeysHelp}</p>
        {keysOfProvider(provider).map((field) => (
          <TextField
            key={field.name}
            label={field.label}
            value={values.value[field.name] ?? ''}
            placeholder="as it is"
            isSecret={field.isSecret === true}
            onValue={(value) => (values.value = { ...values.value, [field.name]: value })}
          />
        ))}
      </Form>
    </Dialog>
  );
}
