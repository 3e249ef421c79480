import { useSignal } from '@preact/signals';
import type { Read, Summary } from '../../../../api.ts';
import { pathTo, write, withQuery } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { ofRecords, ofService } from '../../../kindPages/service/concerns.ts';
import { useProjects } from '../../../kindPages/lists.ts';
import { readsOnly } from '../../../components/checkNow.ts';
import { DeleteDialog } from '../../../components/deleteDialog.tsx';
import { Fact } from '../../../components/fact.tsx';
import { go } from '../../../router.ts';
import { addressOf } from '../../../routes.ts';
import { useOffers } from '../../../store/offered.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { mayAct } from '../../../store/session.ts';
import { projectWord } from '../../../model/project.ts';
import { serviceGoes, serviceStays, deletionHelp } from './text.ts';
import { settingsCards } from './model.ts';
import { SettingsForm } from './settingsForm.tsx';

interface ServiceSettingsProps {
  readonly read: Read;
  /** How many copies run; null while that is not read. */
  readonly copies: number | null;
  readonly onSaved: () => void;
}

/** The settings of a service by when they apply, what never changes, and its deletion. */
export function ServiceSettings({ read, copies, onSaved }: ServiceSettingsProps) {
  const projects = useProjects().value?.items;
  return (
    <>
      {!mayAct() && <p class="muted">{readsOnly}</p>}
      <div class="halves">
        {settingsCards(read).map((card) => (
          <SettingsForm key={card.title} {...card} read={read} copies={copies} onSaved={onSaved} />
        ))}
      </div>
      <Card title="Never changes">
        <dl class="facts facts-panel">
          <Fact name="Name">{read.resource.name}</Fact>
          <Fact name="Place">
            {projectWord(read.resource.project, projects)} / {read.resource.environment}
          </Fact>
        </dl>
      </Card>
      {mayAct() && <Deletion read={read} />}
    </>
  );
}

function Deletion({ read: { resource } }: { readonly read: Read }) {
  const isOpen = useSignal(false);
  useOffers(resource.name, [{ label: `Delete ${resource.name}`, run: () => (isOpen.value = true) }]);
  return (
    <Card label="Delete">
      <div class="changes">
        <p>{deletionHelp}</p>
        <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
          Delete {resource.name}
        </button>
      </div>
      {isOpen.value && <DeleteService resource={resource} onClose={() => (isOpen.value = false)} />}
    </Card>
  );
}

function DeleteService({ resource, onClose }: { readonly resource: Summary; readonly onClose: () => void }) {
  const { name } = resource;
  const builds = useLoaded(withQuery(pathTo('GET /builds', {}), { app: name }), ofService(name)).value?.items ?? [];
  const deployments =
    useLoaded(pathTo('GET /apps/{app}/deployments', { app: name }), ofRecords(name)).value?.items ?? [];
  return (
    <DeleteDialog
      name={name}
      goes={serviceGoes(resource, { builds, deployments })}
      stays={serviceStays}
      act={() => write('DELETE /apps/{app}', { app: name }, { confirmName: name })}
      onDone={() => go(addressOf.project(resource))}
      onClose={onClose}
    />
  );
}
