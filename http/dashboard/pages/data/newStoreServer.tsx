import { useSignal } from '@preact/signals';
import type { Created } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { RefusedForm } from '../../components/form/refusedForm.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { emptyStoreServer, type StoreServer, storeServerBody } from '../../model/objectStore.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'storageSize', label: 'Storage' },
];

type How = 'draft' | 'deploy';

/** Makes a server of buckets in the cluster, which belongs to no project. */
export function NewStoreServer() {
  const server = useSignal<StoreServer>(emptyStoreServer);
  const busy = useSignal<How | null>(null);
  const failed = useSignal('');
  const set = (change: Partial<StoreServer>) => (server.value = { ...server.value, ...change });
  const create = async (how: How) => {
    if (busy.value !== null) return;
    busy.value = how;
    const answer = await act<Created>(api.objectStores, storeServerBody(server.value, how));
    busy.value = null;
    if (answer.is === 'ok') go(addressOf.bucket({ project: '', environment: '', name: answer.value.name }));
    else failed.value = answer.error;
  };
  const { name, storageSize } = server.value;
  return (
    <Card
      title="Create object store"
      look="narrow"
      actions={<span class="muted small">a server of the cluster, for buckets of every project</span>}
    >
      <form
        class="card-body form"
        onSubmit={(event) => {
          event.preventDefault();
          void create('draft');
        }}
      >
        <RefusedForm fields={fields} text={failed.value}>
          <div class="pair">
            <TextField
              name="name"
              label="Name"
              value={name}
              placeholder="generated where it is empty"
              onValue={(value) => set({ name: value })}
            />
            <TextField
              name="storageSize"
              label="Storage"
              value={storageSize}
              onValue={(value) => set({ storageSize: value })}
            />
          </div>
        </RefusedForm>
        <div class="dialog-end">
          <button type="submit" class="button button-main" aria-busy={busy.value === 'draft'}>
            {busy.value === 'draft' ? 'Saving …' : 'Save draft'}
          </button>
          <button
            type="button"
            class="button"
            aria-busy={busy.value === 'deploy'}
            onClick={() => void create('deploy')}
          >
            {busy.value === 'deploy' ? 'Deploying …' : 'Deploy'}
          </button>
        </div>
      </form>
    </Card>
  );
}
