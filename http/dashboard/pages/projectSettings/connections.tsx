import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { useSaved } from '../../components/form/useSaved.ts';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Empty } from '../../components/empty.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { Select } from '../../components/select.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { connectionBody, fieldsOfProvider, providers, usersOfConnection } from '../../model/cloudAccounts.ts';
import { detailOf } from '../../model/details.ts';
import type { FormValues } from '../../model/form.ts';
import { stateWord } from '../../model/state.ts';
import { ReplaceKeys } from './replaceKeys.tsx';
import type { SettingsViewProps } from './view.ts';
import { onlyAdminsSeeConnections, noConnectionText, deleteConnectionWarning } from './text.ts';

/** The accounts outside the cluster that a project is linked to. */
export function Connections({ read: { resource } }: SettingsViewProps) {
  const loaded = useLoaded(
    mayAct() ? pathTo('GET /projects/{project}/cloud-connections', { project: resource.name }) : null,
    ofKinds('CoreCloudConnection'),
  );
  const { reload } = loaded;
  if (!mayAct()) return <Note tone="idle">{onlyAdminsSeeConnections}</Note>;
  return (
    <>
      <Card title="Cloud connections" actions={<span class="muted small">their keys are never read back</span>}>
        <Loaded of={loaded} height={120} empty={<Empty title="No cloud connection yet" text={noConnectionText} />}>
          {({ items }) => (
            <ul>
              {items.map((one) => (
                <Connection key={one.name} connection={one} onDone={reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      <NewConnection project={resource.name} onDone={reload} />
    </>
  );
}

interface ConnectionProps {
  readonly connection: Summary;
  readonly onDone: () => void;
}

function Connection({ connection, onDone }: ConnectionProps) {
  const isAsking = useSignal(false);
  const isReplacing = useSignal(false);
  const refused = useSignal('');
  const { name, project, state, message } = connection;
  const users = usersOfConnection(connection);
  const removeIt = async () => {
    isAsking.value = false;
    const answer = await write('DELETE /projects/{project}/cloud-connections/{connection}', {
      project,
      connection: name,
    });
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onDone();
  };
  return (
    <li class="line">
      <StateChip state={state} shown={stateWord(state)} />
      <span class="strong">{name}</span>
      <span class="muted small">{detailOf(connection, 'provider')}</span>
      <span class="line-text">{message}</span>
      <Refused text={refused.value} />
      <span class="row row-end">
        <button
          type="button"
          class="button button-small"
          aria-haspopup="dialog"
          onClick={() => (isReplacing.value = true)}
        >
          Replace keys of {name}
        </button>
        {users.length > 0 ? (
          <span class="muted small">used by {users.join(', ')}</span>
        ) : (
          <button type="button" class="button button-small" onClick={() => (isAsking.value = true)}>
            Remove {name}
          </button>
        )}
      </span>
      {isReplacing.value && (
        <ReplaceKeys connection={connection} onDone={onDone} onClose={() => (isReplacing.value = false)} />
      )}
      {isAsking.value && (
        <Confirm
          title={`Remove ${name}?`}
          text={deleteConnectionWarning}
          yes={`Remove ${name}`}
          bad
          onYes={() => void removeIt()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </li>
  );
}

const empty: FormValues = { name: '', provider: 'Cloud' };

function NewConnection({ project, onDone }: { readonly project: string; readonly onDone: () => void }) {
  const values = useSignal<FormValues>(empty);
  const saving = useSaved(undefined, 'Added');
  const set = (name: string, value: string) => (values.value = { ...values.value, [name]: value });
  const provider = values.value['provider'] ?? '';
  return (
    <Card title="New cloud connection" look="narrow">
      <Form
        look="card-body form"
        fields={[{ name: 'name', label: 'Name' }, ...fieldsOfProvider(provider)]}
        send={() => write('POST /projects/{project}/cloud-connections', { project }, connectionBody(values.value))}
        onDone={() => {
          values.value = empty;
          onDone();
        }}
        buttons={submitButton('Add connection', 'Adding')}
        saving={saving}
      >
        <TextField
          name="name"
          label="Name"
          value={values.value['name'] ?? ''}
          placeholder="backups"
          onValue={(value) => set('name', value)}
        />
        <Select
          look="field"
          label="Provider"
          value={provider}
          options={providers}
          onChoose={(value) => set('provider', value)}
        />
        {fieldsOfProvider(provider).map((field) => (
          <TextField
            key={field.name}
            name={field.name}
            label={field.label}
            value={values.value[field.name] ?? ''}
            placeholder={field.placeholder ?? ''}
            isSecret={field.isSecret === true}
            onValue={(value) => set(field.name, value)}
          />
        ))}
      </Form>
    </Card>
  );
}
