import { useSignal } from '@preact/signals';
import type { Deleted, Read } from '../../../api.ts';
import { api, change, remove } from '../../api.ts';
import { readsOnly } from '../../parts/ask.ts';
import { DeleteDialog } from '../../parts/deleteDialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { FieldsForm } from '../../parts/form/fieldsForm.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useOffers } from '../../store/offered.ts';
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
        <section class="card" aria-label="Never changes">
          <div class="card-head">
            <h2>Never changes</h2>
          </div>
          <dl class="facts facts-panel">
            <Fact name="Name">{name}</Fact>
            {frozenOfStore(read).map((one) => (
              <Fact key={one.name} name={one.name}>
                {one.value}
                <div class="small muted">{one.why}</div>
              </Fact>
            ))}
          </dl>
        </section>
      </div>
      {mayAct() && state !== 'deleting' && <Deletion read={read} />}
    </>
  );
}

function Deletion({ read }: Pick<BucketSettingsProps, 'read'>) {
  const isOpen = useSignal(false);
  const users = useUsers(read);
  const { resource } = read;
  const { name } = resource;
  const open = () => (isOpen.value = true);
  useOffers([{ word: `Delete ${name}`, run: open }]);
  return (
    <section class="card" aria-label="Delete">
      <div class="changes">
        <p>A deletion asks first what is lost and what stays.</p>
        <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={open}>
          Delete {name}
        </button>
      </div>
      {isOpen.value && (
        <DeleteDialog
          name={name}
          goes={storeGoes(read)}
          stays={storeStays(read)}
          dependents={users}
          act={() => remove<Deleted>(api.deleteObjectStore(name, name))}
          onDone={() => go(resource.project === '' ? addressOf.buckets() : addressOf.project(resource))}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </section>
  );
}
