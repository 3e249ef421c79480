import { useSignal } from '@preact/signals';
import type { Read } from '../../../api.ts';
import { useDatabasesNamed, useProjects } from '../../kindPages/lists.ts';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import type { RecoveryWindow } from '../../model/backups.ts';
import {
  boundsWord,
  environmentGone,
  hasMoments,
  type Restore,
  restoreBody,
  restoreMakes,
  restoredStem,
  restoreProblem,
  typedBounds,
  usualRestore,
} from '../../model/restore.ts';
import { dayTime } from '../../model/time.ts';
import { capital } from '../../model/capital.ts';
import { environmentsOf } from '../../model/project.ts';
import { Choice } from '../choice.tsx';
import { Dialog } from '../dialog.tsx';
import { Form } from '../form/form.tsx';
import { submitButton } from '../form/formButtons.tsx';
import { TextField } from '../form/textField.tsx';
import { Select } from '../select.tsx';
import { write } from '../../api.ts';

interface RestoreDialogProps {
  readonly archive: Read;
  readonly window: RecoveryWindow;
  readonly onClose: () => void;
}

/** Makes a new database from the backups of another, which stays as it is. */
export function RestoreDialog({ archive, window, onClose }: RestoreDialogProps) {
  const { resource } = archive;
  const project = useProjects().value?.items.find(({ name }) => name === resource.project);
  const environments = project ? environmentsOf(project) : [];
  const taken = (useDatabasesNamed(restoredStem(archive)).value?.items ?? []).map(({ name }) => name);
  const typed = useSignal<Partial<Restore>>({});
  const chosen = { ...usualRestore(archive, { environments, taken, window }), ...typed.value };
  const set = (change: Partial<Restore>) => (typed.value = { ...typed.value, ...change });
  const { environment, name } = chosen;
  const gone = environmentGone(archive, environments);
  return (
    <Dialog title={`Restore ${resource.displayName}`} onClose={onClose}>
      <Form
        hasOwnChecks
        problem={() => restoreProblem(chosen, window)}
        send={() => write('POST /databases/restore', {}, restoreBody(archive, chosen))}
        onDone={(made) => go(addressOf.database({ ...resource, environment: chosen.environment, name: made.name }))}
        buttons={submitButton('Restore database', 'Restoring')}
        onCancel={onClose}
      >
        <p>{restoreMakes(archive)}</p>
        <Moments archive={archive} window={window} chosen={chosen} onChoose={set} />
        <Select
          look="field"
          label="Environment"
          value={environment}
          options={[...(environment === '' ? [{ value: '', label: 'choose one' }] : []), ...environments]}
          onChoose={(value) => set({ environment: value })}
        />
        {gone !== '' && <p class="muted small">{gone}</p>}
        <TextField
          label="Name"
          value={name}
          placeholder="generated when empty"
          onValue={(value) => set({ name: value })}
        />
      </Form>
    </Dialog>
  );
}

interface MomentsProps extends Pick<RestoreDialogProps, 'archive' | 'window'> {
  readonly chosen: Restore;
  readonly onChoose: (change: Partial<Restore>) => void;
}

const Moments = ({ archive, window, chosen, onChoose }: MomentsProps) => (
  <>
    <fieldset class="choices">
      <legend>Restore to</legend>
      <Choice
        name="from"
        value="newest"
        label={hasMoments(archive) ? 'The newest moment' : 'The newest restore point'}
        chosen={chosen.from === 'newest'}
        onChoose={() => onChoose({ from: 'newest' })}
      />
      <Choice
        name="from"
        value="point"
        label="A restore point"
        chosen={chosen.from === 'point'}
        onChoose={() => onChoose({ from: 'point' })}
      />
      {hasMoments(archive) && (
        <Choice
          name="from"
          value="moment"
          label="A moment"
          help={`${capital(boundsWord(window))}.`}
          chosen={chosen.from === 'moment'}
          onChoose={() => onChoose({ from: 'moment' })}
        />
      )}
    </fieldset>
    {chosen.from === 'point' && (
      <Select
        look="field"
        label="Restore point"
        value={chosen.point}
        options={window.points.map(({ id, time }) => ({ value: id, label: dayTime(Date.parse(time)) }))}
        onChoose={(point) => onChoose({ point })}
      />
    )}
    {chosen.from === 'moment' && (
      <label class="field">
        Moment
        <input
          class="input"
          type="datetime-local"
          step={1}
          {...typedBounds(window)}
          value={chosen.moment}
          onInput={(event) => onChoose({ moment: event.currentTarget.value })}
        />
      </label>
    )}
  </>
);
