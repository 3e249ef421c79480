import type { Deleted, Read } from '../../../api.ts';
import { api, change, remove } from '../../api.ts';
import { readsOnly } from '../../parts/ask.ts';
import { DeleteDialog } from '../../parts/deleteDialog.tsx';
import { FieldsForm } from '../../parts/form/fieldsForm.tsx';
import { Deletion } from '../../parts/resource/deletion.tsx';
import { Frozen } from '../../parts/resource/frozen.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { databaseBody } from '../../words/databaseSettings.ts';
import { frozenOfStore, storeGoes, storeOnDeploy, storeStays } from '../../words/objectStore.ts';
import { useUsers } from './overview.tsx';

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
            title="On next deploy"
            means="Is saved and waits for Deploy changes."
            fields={fields}
            read={read}
            save={(before, values) => change<Read>(api.objectStore(name), databaseBody(fields, before, values))}
            onSaved={onSaved}
          />
        )}
        <Frozen name={name} facts={frozenOfStore(read)} />
      </div>
      {mayAct() && state !== 'deleting' && (
        <Deletion name={name} dialog={(close) => <DeleteStore read={read} onClose={close} />} />
      )}
    </>
  );
}

interface DeleteStoreProps {
  readonly read: Read;
  readonly onClose: () => void;
}

function DeleteStore({ read, onClose }: DeleteStoreProps) {
  const users = useUsers(read);
  const { resource } = read;
  const { name } = resource;
  return (
    <DeleteDialog
      name={name}
      goes={storeGoes(read)}
      stays={storeStays(read)}
      dependents={users}
      act={() => remove<Deleted>(api.deleteObjectStore(name, name))}
      onDone={() => go(resource.project === '' ? addressOf.buckets() : addressOf.project(resource))}
      onClose={onClose}
    />
  );
}
