import { useSignal } from '@preact/signals';
import type { Read, Summary } from '../../../api.ts';
import { api, change } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DialogEnd } from '../../components/dialogEnd.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { keysBody, keysOfProvider } from '../../model/cloudAccounts.ts';
import { detailOf } from '../../model/details.ts';
import type { FormValues } from '../../model/form.ts';

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
  const busy = useSignal(false);
  const failed = useSignal('');
  const save = async (event: Event) => {
    event.preventDefault();
    if (busy.value) return;
    const body = keysBody(provider, values.value);
    if (body === null) return void (failed.value = 'Type the new keys.');
    busy.value = true;
    const answer = await change<Read>(api.connection(project, name), body);
    busy.value = false;
    if (answer.is !== 'ok') return void (failed.value = answer.error);
    onDone();
    onClose();
  };
  return (
    <Dialog title={`Replace the keys of ${name}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <p>The new keys apply at once. A field that is left empty keeps its value, which is never shown.</p>
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
        <DialogEnd
          words={['Replace keys', 'Replacing']}
          isBusy={busy.value}
          refused={failed.value}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
