import { useSignal } from '@preact/signals';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { draftButtons } from '../../components/form/draftButtons.ts';
import { TextField } from '../../components/form/textField.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { emptyStoreServer, type StoreServer, storeServerBody } from '../../model/objectStore.ts';
import { write } from '../../api.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'storageSize', label: 'Storage' },
];

type How = 'draft' | 'deploy';

/** Makes a server of buckets in the cluster, which belongs to no project. */
export function NewStoreServer() {
  const server = useSignal<StoreServer>(emptyStoreServer);
  const set = (change: Partial<StoreServer>) => (server.value = { ...server.value, ...change });
  const { name, storageSize } = server.value;
  return (
    <Card
      title="Create object store"
      look="narrow"
      actions={<span class="muted small">a server of the cluster, for buckets of every project</span>}
    >
      <Form
        look="card-body form"
        fields={fields}
        send={(_, how) => write('POST /object-stores', {}, storeServerBody(server.value, how as How))}
        onDone={(made) => go(addressOf.bucket({ project: '', environment: '', name: made.name }))}
        buttons={draftButtons}
      >
        <div class="pair">
          <TextField
            name="name"
            label="Name"
            value={name}
            placeholder="generated when empty"
            onValue={(value) => set({ name: value })}
          />
          <TextField
            name="storageSize"
            label="Storage"
            value={storageSize}
            onValue={(value) => set({ storageSize: value })}
          />
        </div>
      </Form>
    </Card>
  );
}
