import { useSignal } from '@preact/signals';
import type { ApiResult } from '../api.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form/form.tsx';
import { submitButton } from './form/formButtons.tsx';
import { Note } from './note.tsx';
import { Ago, At } from './times.tsx';
import { dayTime } from '../model/time.ts';

/** Something that may be deleted besides; it is never preselected. */
interface DeleteOption {
  readonly name: string;
  readonly label: string;
}

/** What a typed name confirms, and the same while it is done. */
const verbs = { Delete: 'Deleting', Remove: 'Removing', Stop: 'Stopping' } as const;

interface DeleteDialogProps {
  readonly name: string;
  /** What is done; it is deleted where nothing is said. */
  readonly verb?: keyof typeof verbs;
  /** What is deleted with it, counted and named. */
  readonly goes: readonly string[];
  readonly stays: readonly string[];
  /** What uses it and is not deleted. */
  readonly dependents?: readonly string[];
  /** When it was last backed up; null for never, left out for what has no backups. */
  readonly lastBackup?: string | null;
  /** Until when its backups are kept. */
  readonly keptUntil?: string;
  readonly options?: readonly DeleteOption[];
  /** Deletes it, with the options that were chosen. */
  readonly act: (chosen: readonly string[]) => Promise<ApiResult<unknown>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Deletes or stops an object once its name is typed, and says what goes, what stays and what depends on it. */
export function DeleteDialog({
  name,
  verb = 'Delete',
  act,
  onDone,
  onClose,
  options = [],
  ...losses
}: DeleteDialogProps) {
  const typed = useSignal('');
  const chosen = useSignal<readonly string[]>([]);
  const choose = (option: string, on: boolean) => {
    const others = chosen.value.filter((one) => one !== option);
    chosen.value = on ? [...others, option] : others;
  };
  return (
    <Dialog title={`${verb} ${name}?`} onClose={onClose}>
      <Form
        send={() => act(chosen.value)}
        onDone={onDone}
        buttons={submitButton(`${verb} ${name}`, verbs[verb], { look: 'bad', isDisabled: typed.value !== name })}
        onCancel={onClose}
      >
        <Losses {...losses} />
        {options.map((option) => (
          <label key={option.name} class="check">
            <input type="checkbox" onChange={(event) => choose(option.name, event.currentTarget.checked)} />
            {option.label}
          </label>
        ))}
        <label class="field">
          Type {name} to confirm
          <input
            class="input mono"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
      </Form>
    </Dialog>
  );
}

type LossesProps = Pick<DeleteDialogProps, 'goes' | 'stays' | 'dependents' | 'lastBackup' | 'keptUntil'>;

const Losses = ({ goes, stays, dependents = [], lastBackup, keptUntil }: LossesProps) => (
  <>
    <List title="This goes" items={goes} />
    <List title="This stays" items={stays} />
    {dependents.length > 0 && (
      <Note tone="waiting" sign="bang">
        Used by {dependents.join(', ')}.
      </Note>
    )}
    {lastBackup !== undefined && <p>Last backup: {lastBackup === null ? <b>none</b> : <Ago at={lastBackup} />}</p>}
    {keptUntil !== undefined && (
      <p>
        Backups are kept until <At at={keptUntil}>{dayTime(Date.parse(keptUntil))}</At>
      </p>
    )}
  </>
);

const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <div>
      <h3>{title}</h3>
      <ul class="bullets">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
