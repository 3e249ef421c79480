import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Variable } from '../../../api.ts';
import { act } from '../../api.ts';
import { holdPage } from '../../router.ts';
import { mayAct } from '../../store/session.ts';
import { plural } from '../../words/plural.ts';
import {
  isAsSaved,
  isDirty,
  rowsOf,
  rowsProblem,
  savedRows,
  type VariableChange,
  type VariableRow,
  withNewRow,
} from '../../words/variables.ts';
import { readsOnly } from '../ask.ts';
import { Empty } from '../empty.tsx';
import { Note } from '../note.tsx';
import { Refused } from '../refused.tsx';
import { EnvText } from './envText.tsx';
import { LockedRows } from './lockedRows.tsx';
import { PasteEnv } from './pasteEnv.tsx';
import { ValueRows } from './valueRows.tsx';

interface KeyValueEditorProps {
  readonly title: string;
  /** When a saved value applies, in a few words. */
  readonly means: string;
  /** As the server has them, those that are set elsewhere too. */
  readonly variables: readonly Variable[];
  /** The requests that save what is changed, one a row. */
  readonly requestsOf: (rows: readonly VariableRow[]) => readonly VariableChange[];
  readonly onSaved: () => void;
}

/** Edits names with values, as rows or as text. What is typed stays until it is saved or cancelled. */
export function KeyValueEditor({ title, means, variables, requestsOf, onSaved }: KeyValueEditorProps) {
  const rows = useSignal<readonly VariableRow[]>(rowsOf(variables));
  const stored = JSON.stringify(variables);
  const base = useSignal(stored);
  const isText = useSignal(false);
  const isPasting = useSignal(false);
  const busy = useSignal(false);
  const failed = useSignal('');
  const dirty = rows.value.filter(isDirty).length;
  // After a save the server answers what was saved, which is no change of somebody else.
  const isRead = base.value !== stored;
  const isMovedOn = isRead && !isAsSaved(rows.value, variables);
  const locked = variables.filter(({ injected }) => injected);
  const take = () => {
    rows.value = rowsOf(variables);
    base.value = stored;
    failed.value = '';
  };
  // What is stored, or typed, may change once more before this runs.
  useEffect(() => {
    if (isRead && isAsSaved(rows.peek(), variables)) base.value = stored;
    else if (isRead && !rows.peek().some(isDirty)) take();
  }, [stored, dirty]);
  useEffect(
    () => (dirty === 0 ? undefined : holdPage(`${plural(dirty, 'change is', 'changes are')} not saved.`)),
    [dirty],
  );

  const save = async () => {
    const names = locked.map(({ name }) => name);
    const problem = rowsProblem(rows.value, names);
    failed.value = problem ?? '';
    if (problem !== null || busy.value) return;
    busy.value = true;
    for (const { key, path, body } of requestsOf(rows.value)) {
      const answer = await act(path, body);
      if (answer.is !== 'ok') {
        failed.value = `${key}: ${answer.error}`;
        break;
      }
      rows.value = savedRows(rows.value, key);
    }
    busy.value = false;
    onSaved();
  };

  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        <span class="muted small">{means}</span>
        <button
          type="button"
          class="button button-small row-end"
          aria-pressed={isText.value}
          onClick={() => (isText.value = !isText.value)}
        >
          Edit as text
        </button>
      </div>
      {!mayAct() && <p class="card-body muted">{readsOnly}</p>}
      {rows.value.length === 0 && !isText.value && (
        <Empty title="No variable yet" text="Add one, or paste the lines of a .env file." />
      )}
      {isText.value && <EnvText rows={rows.value} onRows={(changed) => (rows.value = changed)} isLocked={!mayAct()} />}
      {!isText.value && rows.value.length > 0 && (
        <ValueRows rows={rows.value} onChange={(changed) => (rows.value = changed)} isLocked={!mayAct()} />
      )}
      <LockedRows variables={locked} />
      {isMovedOn && dirty > 0 && !busy.value && (
        <div class="card-body">
          <Note tone="waiting">
            The variables were changed elsewhere.{' '}
            <button type="button" class="button button-small" onClick={take}>
              Show them
            </button>
          </Note>
        </div>
      )}
      <Refused text={failed.value} inCard />
      {mayAct() && (
        <div class="form-end">
          <button type="button" class="button" onClick={() => (rows.value = withNewRow(rows.value))}>
            Add variable
          </button>
          <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isPasting.value = true)}>
            Paste .env
          </button>
          <span class="muted small row-end" role="status">
            {dirty === 0 ? '' : `${plural(dirty, 'change')} not saved`}
          </span>
          <button type="button" class="button" disabled={dirty === 0} onClick={take}>
            Cancel
          </button>
          <button
            type="button"
            class="button button-main"
            disabled={dirty === 0}
            aria-busy={busy.value}
            onClick={() => void save()}
          >
            {busy.value ? 'Saving …' : 'Save variables'}
          </button>
        </div>
      )}
      {isPasting.value && (
        <PasteEnv
          rows={rows.value}
          onRows={(changed) => (rows.value = changed)}
          onClose={() => (isPasting.value = false)}
        />
      )}
    </section>
  );
}
