import type { Deleted, Read } from '../../../api.ts';
import { api, change, remove } from '../../api.ts';
import { readsOnly } from '../../parts/ask.ts';
import { DeleteDialog } from '../../parts/deleteDialog.tsx';
import { FieldsForm } from '../../parts/form/fieldsForm.tsx';
import { Deletion } from '../../parts/resource/deletion.tsx';
import { InUse } from '../../parts/resource/inUse.tsx';
import { Frozen } from '../../parts/resource/frozen.tsx';
import { go } from '../../router.ts';
import { useDependents } from '../../kinds/dependents.ts';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { appliesWord, settingsTitle } from '../../words/gate.ts';
import { databaseBody } from '../../words/databaseSettings.ts';
import {
  frozenOfStore,
  isServer,
  storeGoes,
  storeOnDeploy,
  storeStays,
  usersOfStore,
} from '../../words/objectStore.ts';

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
            means={appliesWord(read.resource)}
            fields={fields}
            read={read}
            save={(before, values) => change<Read>(api.objectStore(name), databaseBody(fields, before, values))}
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
      act={() => remove<Deleted>(api.deleteObjectStore(name, name))}
      onDone={() => go(resource.project === '' ? addressOf.buckets() : addressOf.project(resource))}
      onClose={onClose}
    />
  );
}
