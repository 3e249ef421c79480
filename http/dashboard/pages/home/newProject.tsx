import { useSignal } from '@preact/signals';
import type { Created } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DialogEnd } from '../../components/dialogEnd.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { fieldsOf } from '../../model/formData.ts';

/** Makes a project with one environment, `production` (UI-001). */
export function NewProject({ onMade }: { readonly onMade: () => void }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-small row-end"
        aria-haspopup="dialog"
        onClick={() => (isOpen.value = true)}
      >
        New project
      </button>
      {isOpen.value && <NewProjectDialog onMade={onMade} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

interface NewProjectDialogProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** Both fields may stay empty: the server draws a name, and takes the region of the cluster (UI-002). */
function NewProjectDialog({ onMade, onClose }: NewProjectDialogProps) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const make = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || busy.value) return;
    const field = fieldsOf(event.currentTarget);
    const [displayName, region] = [field('displayName').trim(), field('region').trim()];
    busy.value = true;
    const answer = await act<Created>(api.projects, {
      ...(displayName === '' ? {} : { displayName }),
      ...(region === '' ? {} : { region }),
    });
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    if (answer.is !== 'ok') return;
    onMade();
    onClose();
    const { project, environment } = answer.value;
    go(addressOf.project({ project, environment }));
  };
  return (
    <Dialog title="New project" onClose={onClose}>
      <form class="form" onSubmit={(event) => void make(event)}>
        <p>It begins with the environment production, on the default cluster.</p>
        <label class="field">
          Name
          <input class="input" name="displayName" maxLength={200} autocomplete="off" placeholder="drawn when empty" />
        </label>
        <label class="field">
          Region
          <input
            class="input"
            name="region"
            maxLength={40}
            autocomplete="off"
            spellcheck={false}
            placeholder="that of the cluster when empty"
          />
        </label>
        <DialogEnd
          words={['Create project', 'Creating']}
          isBusy={busy.value}
          refused={failed.value}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
