import { useSignal } from '@preact/signals';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type ReadField } from '../../components/form/form.tsx';
import { submitButton } from '../../components/form/formButtons.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { write } from '../../api.ts';
import { newProjectHelp } from './text.ts';

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

function newProjectBody(read: ReadField) {
  const [displayName, region] = [read('displayName').trim(), read('region').trim()];
  return { ...(displayName === '' ? {} : { displayName }), ...(region === '' ? {} : { region }) };
}

/** Both fields may stay empty: the server draws a name, and takes the region of the cluster (UI-002). */
function NewProjectDialog({ onMade, onClose }: NewProjectDialogProps) {
  return (
    <Dialog title="New project" onClose={onClose}>
      <Form
        send={(read) => write('POST /projects', {}, newProjectBody(read))}
        onDone={({ project, environment }) => {
          onMade();
          onClose();
          go(addressOf.project({ project, environment }));
        }}
        buttons={submitButton('Create project', 'Creating')}
        onCancel={onClose}
      >
        <p>{newProjectHelp}</p>
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
            placeholder="the cluster's when empty"
          />
        </label>
      </Form>
    </Dialog>
  );
}
