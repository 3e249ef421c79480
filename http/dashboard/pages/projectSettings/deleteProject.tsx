import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { useDatabasesOf, useServicesOf } from '../../kindPages/lists.ts';
import { DeleteDialog } from '../../components/deleteDialog.tsx';
import { Note } from '../../components/note.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayAct } from '../../store/session.ts';
import { projectGoes, stays, onlyAdminsDelete, deleteProjectWarning } from './text.ts';
import { environmentsOf } from '../../model/project.ts';
import type { SettingsViewProps } from './view.ts';

/** Deletes a project with everything in it, once its name is typed. */
export function DeleteProject({ read: { resource } }: SettingsViewProps) {
  const isOpen = useSignal(false);
  const { displayName, state, message } = resource;
  if (state === 'deleting') return <Note tone="waiting">{message || 'The project is being deleted.'}</Note>;
  if (!mayAct()) return <Note tone="idle">{onlyAdminsDelete}</Note>;
  return (
    <Card label="Delete" look="narrow">
      <div class="changes">
        <p>{deleteProjectWarning}</p>
        <button type="button" class="button button-bad" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
          Delete {displayName}
        </button>
      </div>
      {isOpen.value && <Deletion resource={resource} onClose={() => (isOpen.value = false)} />}
    </Card>
  );
}

function Deletion({ resource, onClose }: { readonly resource: Summary; readonly onClose: () => void }) {
  const { name, displayName } = resource;
  const variables = useLoaded(pathTo('GET /projects/{project}/variables', { project: name }), ofKinds('CoreProject'));
  const databases = useDatabasesOf(name);
  const services = useServicesOf(name);
  const held = {
    services: services.value?.items ?? [],
    databases: databases.value?.items ?? [],
    variables: variables.value?.items ?? [],
  };
  return (
    <DeleteDialog
      name={displayName}
      goes={projectGoes(environmentsOf(resource), held)}
      stays={stays}
      act={() => write('DELETE /projects/{project}', { project: name }, { confirmName: name })}
      onDone={() => go(addressOf.home())}
      onClose={onClose}
    />
  );
}
