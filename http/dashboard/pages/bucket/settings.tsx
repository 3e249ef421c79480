import type { Read } from '../../../api.ts';
import { readsOnly } from '../../components/checkNow.ts';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { FieldsForm } from '../../components/form/fieldsForm.tsx';
import { Deletion } from '../../components/resource/deletion.tsx';
import { InUse } from '../../components/resource/inUse.tsx';
import { Frozen } from '../../components/resource/frozen.tsx';
import { go } from '../../router.ts';
import { useDependents } from '../../kindPages/dependents.ts';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { appliesWord, settingsTitle } from '../../model/gate.ts';
import { databaseBody } from '../../model/databaseSettings.ts';
import {
  frozenOfStore,
  isServer,
  storeGoes,
  storeOnDeploy,
  storeStays,
  usersOfStore,
} from '../../model/objectStore.ts';
import { write } from '../../api.ts';

interface BucketSettingsProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** What of an object store may change, what never does and why, and its deletion. */
export function BucketSettings({ read, onSaved }: BucketSettingsProps) {
  const fields = storeOnDeploy(read);
  const { name, state } = read.resource;
  return (
    <>
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <div class="halves">
        {fields.length > 0 && (
          <FieldsForm
            title={settingsTitle(read.resource)}
            help={appliesWord(read.resource)}
            fields={fields}
            read={read}
            save={(before, values) =>
              write('PATCH /object-stores/{store}', { store: name }, databaseBody(fields, before, values))
            }
            onSaved={onSaved}
          />
        )}
        <Frozen name={name} facts={frozenOfStore(read)} />
      </div>
      {mayAct() && state !== 'deleting' && <Ending read={read} />}
    </>
  );
}

/** The deletion, which a server with buckets does not offer. */
function Ending({ read }: { readonly read: Read }) {
  const dependents = useDependents(read.resource);
  if (dependents === null) return null;
  const buckets = dependents.filter(({ by }) => by === 'server');
  if (isServer(read.resource) && buckets.length > 0) return <InUse offered="deleted" users={buckets} />;
  return (
    <Deletion
      name={read.resource.name}
      dialog={(close) => <DeleteStore read={read} users={usersOfStore(dependents)} onClose={close} />}
    />
  );
}

interface DeleteStoreProps {
  readonly read: Read;
  readonly users: readonly string[];
  readonly onClose: () => void;
}

function DeleteStore({ read, users, onClose }: DeleteStoreProps) {
  const { resource } = read;
  const { name } = resource;
  return (
    <DeleteDialog
      name={name}
      goes={storeGoes(read)}
      stays={storeStays(read)}
      dependents={users}
      act={() => write('DELETE /object-stores/{store}', { store: name }, { confirmName: name })}
      onDone={() => go(resource.project === '' ? addressOf.buckets() : addressOf.project(resource))}
      onClose={onClose}
    />
  );
}
