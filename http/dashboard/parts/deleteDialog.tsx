import { useSignal } from '@preact/signals';
import type { Answer } from '../api.ts';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';

interface DeleteDialogProps {
  readonly name: string;
  readonly goes: readonly string[];
  readonly stays: readonly string[];
  readonly act: () => Promise<Answer<unknown>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Deletes an object once its name is typed, and says what goes and what stays. */
export function DeleteDialog({ name, goes, stays, act, onDone, onClose }: DeleteDialogProps) {
  const typed = useSignal('');
  const busy = useSignal(false);
  const failed = useSignal('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.value || typed.value !== name) return;
    busy.value = true;
    const answer = await act();
    busy.value = false;
    if (answer.is === 'ok') onDone();
    else failed.value = answer.error;
  };
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <List title="This goes" items={goes} />
        <List title="This stays" items={stays} />
        <label class="field">
          Type {name} to confirm
          <input
            class="input mono"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
        <div class="dialog-end">
          <button type="button" class="button" autofocus onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-bad" disabled={typed.value !== name} aria-busy={busy.value}>
            {busy.value ? 'Deleting …' : `Delete ${name}`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) => (
  <div>
    <h3>{title}</h3>
    <ul class="bullets">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </div>
);
