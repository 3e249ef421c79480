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
import { Fact } from '../../components/fact.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { Refused } from '../../components/refused.tsx';
import { Select } from '../../components/select.tsx';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { conditionsIn } from '../../model/conditions.ts';
import { bucketAccounts, storageBody, storageOf, storageStatus } from '../../model/cloudAccounts.ts';
import { capital } from '../../model/capital.ts';
import type { SettingsViewProps } from './view.ts';
import { onlyAdminsSeeStorage, noAccountForBackups, removeStorageWarning } from './text.ts';

/** Where the backups of a project's databases go. */
export function BackupStorage({ read, onSaved }: SettingsViewProps) {
  const { name } = read.resource;
  const loaded = useLoaded(
    mayAct() ? pathTo('GET /projects/{project}/cloud-connections', { project: name }) : null,
    ofKinds('CoreCloudConnection'),
  );
  if (!mayAct()) return <Note tone="idle">{onlyAdminsSeeStorage}</Note>;
  const storage = storageOf(read);
  const standing = storageStatus(read);
  return (
    <Card
      title="Backup storage"
      look="narrow"
      actions={<span class="muted small">of every database of the project</span>}
    >
      {storage && standing && (
        <div class="card-body">
          <Note tone={standing.tone}>{capital(standing.message)}</Note>
        </div>
      )}
      {storage && <Chosen storage={storage} project={name} onSaved={onSaved} />}
      <Loaded of={loaded} height={120}>
        {({ items }) =>
          bucketAccounts(items).length === 0 ? (
            <NoAccount project={name} />
          ) : (
            <Choose
              project={name}
              accounts={bucketAccounts(items)}
              chosen={storage?.connection ?? ''}
              answer={conditionsIn(read)}
              onSaved={onSaved}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

const NoAccount = ({ project }: { readonly project: string }) => (
  <Empty title="No cloud account yet" text={noAccountForBackups}>
    <a class="button" href={addressOf.projectSettings(project, 'connections')}>
      Add connection
    </a>
  </Empty>
);

interface ChosenProps {
  readonly storage: { readonly connection: string; readonly bucket: string };
  readonly project: string;
  readonly onSaved: () => void;
}

function Chosen({ storage: { connection, bucket }, project, onSaved }: ChosenProps) {
  const isAsking = useSignal(false);
  const refused = useSignal('');
  const clear = async () => {
    isAsking.value = false;
    const answer = await write('POST /projects/{project}/backup-storage/clear', { project });
    refused.value = answer.is === 'ok' ? '' : answer.error;
    onSaved();
  };
  return (
    <>
      <dl class="facts facts-panel">
        <Fact name="Connection">{connection}</Fact>
        <Fact name="Bucket">
          <code>{bucket}</code>
        </Fact>
      </dl>
      <div class="card-body">
        <Refused text={refused.value} />
        <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
          Remove
        </button>
      </div>
      {isAsking.value && (
        <Confirm
          title="Remove the backup storage?"
          text={removeStorageWarning}
          yes="Remove"
          bad
          onYes={() => void clear()}
          onNo={() => (isAsking.value = false)}
        />
      )}
    </>
  );
}

interface ChooseProps {
  readonly project: string;
  readonly accounts: readonly Summary[];
  /** The connection that is used now. */
  readonly chosen: string;
  /** What is another once a save is checked. */
  readonly answer: string;
  readonly onSaved: () => void;
}

function Choose({ project, accounts, chosen, answer, onSaved }: ChooseProps) {
  const picked = useSignal('');
  const bucket = useSignal('');
  const saving = useSaved(answer);
  const connection = picked.value || chosen || (accounts[0]?.name ?? '');
  return (
    <Form
      look="card-body form"
      send={() =>
        write('POST /projects/{project}/backup-storage/save', { project }, storageBody(connection, bucket.value))
      }
      onDone={onSaved}
      onRefused={onSaved}
      buttons={submitButton('Use this connection', 'Saving')}
      saving={saving}
    >
      <Select
        look="field"
        label="Cloud connection"
        value={connection}
        options={accounts.map(({ name }) => name)}
        onChoose={(value) => (picked.value = value)}
      />
      <TextField
        label="Bucket"
        value={bucket.value}
        placeholder="generated when empty"
        onValue={(value) => (bucket.value = value)}
      />
    </Form>
  );
}
