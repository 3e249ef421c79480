import { useSignal } from '@preact/signals';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { TextField } from '../../components/form/textField.tsx';
import { Select } from '../../components/select.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { emptyServer, serverEngines, type SharedServer, sharedServerBody } from './model.ts';
import { write } from '../../api.ts';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'region', label: 'Region' },
  { name: 'storageSize', label: 'Storage' },
];

interface NewSharedServerProps {
  readonly onMade: () => void;
}

/** Makes a shared server. It is deployed at once: there is no draft of it. */
export function NewSharedServer({ onMade }: NewSharedServerProps) {
  const server = useSignal<SharedServer>(emptyServer);
  const set = (change: Partial<SharedServer>) => (server.value = { ...server.value, ...change });
  const { name, engine, region, storageSize, highAvailability } = server.value;
  return (
    <Card title="Create shared server" actions={<span class="muted small">deployed at once</span>}>
      <Form
        look="card-body form"
        fields={fields}
        send={() => write('POST /databases', {}, sharedServerBody(server.value))}
        onDone={(made) => {
          onMade();
          go(addressOf.namedDatabase(made.name));
        }}
        buttons={submitButton('Create shared server', 'Creating')}
      >
        <TextField
          name="name"
          label="Name"
          value={name}
          placeholder="generated when empty"
          onValue={(value) => set({ name: value })}
        />
        <div class="pair">
          <Select
            look="field"
            label="Engine"
            value={engine}
            options={serverEngines}
            onChoose={(value) => set({ engine: value })}
          />
          <TextField
            name="region"
            label="Region"
            value={region}
            placeholder="any"
            onValue={(value) => set({ region: value })}
          />
        </div>
        <TextField
          name="storageSize"
          label="Storage"
          value={storageSize}
          onValue={(value) => set({ storageSize: value })}
        />
        <div class="field plain">
          <label class="check">
            <input
              type="checkbox"
              checked={highAvailability}
              onChange={(event) => set({ highAvailability: event.currentTarget.checked })}
            />
            High availability
          </label>
          <span class="muted small">Three instances on three nodes; needs a readiness report.</span>
        </div>
      </Form>
    </Card>
  );
}
