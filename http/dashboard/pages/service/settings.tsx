import { useSignal } from '@preact/signals';
import type { Deleted, Read } from '../../../api.ts';
import { api, remove } from '../../api.ts';
import { readsOnly } from '../../parts/ask.ts';
import { DeleteDialog } from '../../parts/deleteDialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useOffers } from '../../store/offered.ts';
import { mayAct } from '../../store/session.ts';
import { atOnceFields, fieldsFor, onDeployFields } from '../../words/settings.ts';
import { SettingsForm } from './settingsForm.tsx';

interface ServiceSettingsProps {
  readonly read: Read;
  readonly onSaved: () => void;
}

/** The settings of a service by when they apply, what never changes, and its deletion. */
export function ServiceSettings({ read, onSaved }: ServiceSettingsProps) {
  return (
    <>
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <div class="halves">
        <SettingsForm
          title="At once"
          means="Applies as soon as it is saved, without a deploy."
          fields={fieldsFor(atOnceFields, read)}
          read={read}
          onSaved={onSaved}
        />
        <SettingsForm
          title="On next deploy"
          means="Is saved and waits for Deploy changes."
          fields={fieldsFor(onDeployFields, read)}
          read={read}
          onSaved={onSaved}
        />
      </div>
      <section class="card" aria-label="Never changes">
        <div class="card-head">
          <h2>Never changes</h2>
        </div>
        <dl class="facts facts-panel">
          <Fact name="Name">{read.resource.name}</Fact>
          <Fact name="Place">
            {read.resource.project} / {read.resource.environment}
          </Fact>
        </dl>
      </section>
      {mayAct() && <Deletion read={read} />}
    </>
  );
}

function Deletion({ read: { resource } }: { readonly read: Read }) {
  const isOpen = useSignal(false);
  useOffers([{ word: `Delete ${resource.name}`, run: () => (isOpen.value = true) }]);
  return (
    <section class="card" aria-label="Delete">
      <div class="changes">
        <p>Deleting a service ends its copies and removes its builds and deployments.</p>
        <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
          Delete {resource.name}
        </button>
      </div>
      {isOpen.value && (
        <DeleteDialog
          name={resource.name}
          goes={[
            'every copy of it, and its address',
            'its builds with their logs, and its deployments',
            'its variables and secrets',
          ]}
          stays={['images in the registry', 'databases and Secrets that it reads', 'its history, for 30 days']}
          act={() => remove<Deleted>(api.deleteApp(resource.name, resource.name))}
          onDone={() => go(addressOf.project(resource))}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </section>
  );
}
