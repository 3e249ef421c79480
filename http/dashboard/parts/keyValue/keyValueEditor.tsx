import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Variable } from '../../../api.ts';
import { act } from '../../api.ts';
import { readsOnly } from '../ask.ts';
import { Note } from '../note.tsx';
import { holdPage } from '../../router.ts';
import { mayAct } from '../../store/session.ts';
import { plural } from '../../words/plural.ts';
import { isDirty, rowsOf, rowsProblem, type VariableChange, type VariableRow } from '../../words/variables.ts';
import { PasteEnv } from './pasteEnv.tsx';
import { VariableFields } from './valueRows.tsx';

interface VariableEditorProps {
  readonly title: string;
  /** When a saved value applies, in a few words. */
  readonly means: string;
  readonly variables: readonly Variable[];
  /** The requests that save what is changed, one a row. */
  readonly requestsOf: (rows: readonly VariableRow[]) => readonly VariableChange[];
  readonly onSaved: () => void;
}

/** Edits the variables of a service. What is saved waits for a deploy; fields under edit keep what was typed. */
export function VariableEditor({ title, means, variables, requestsOf, onSaved }: VariableEditorProps) {
  const rows = useSignal<readonly VariableRow[]>(rowsOf(variables));
  const isPasting = useSignal(false);
  const busy = useSignal(false);
  const failed = useSignal('');
  const dirty = rows.value.filter(isDirty).length;
  const server = JSON.stringify(variables);
  useEffect(() => {
    if (dirty === 0) rows.value = rowsOf(variables);
  }, [server]);
  useEffect(
    () => (dirty === 0 ? undefined : holdPage(`${plural(dirty, 'variable is', 'variables are')} not saved.`)),
    [dirty],
  );

  const cancel = () => {
    rows.value = rowsOf(variables);
    failed.value = '';
  };
  const save = async () => {
    const problem = rowsProblem(
      rows.value,
      variables.filter(({ injected }) => injected).map(({ name }) => name),
    );
    failed.value = problem ?? '';
    if (problem !== null || busy.value) return;
    busy.value = true;
    for (const { key, path, body } of requestsOf(rows.value)) {
      const answer = await act(path, body);
      if (answer.is !== 'ok') {
        failed.value = `${key}: ${answer.error}`;
        break;
      }
      rows.value = rows.value.map((row) => (row.name === key ? savedRow(row) : row)).filter((row) => !isSpent(row));
    }
    busy.value = false;
    onSaved();
  };
  const add = (row: Partial<VariableRow>) => {
    const id = Math.max(0, ...rows.value.map((one) => one.id)) + 1;
    rows.value = [...rows.value, { id, name: '', kind: 'config', value: '', saved: null, isRemoved: false, ...row }];
  };

  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        <span class="muted small">{means}</span>
      </div>
      {!mayAct() && <p class="card-body muted">{readsOnly}</p>}
      {rows.value.length === 0 && (
        <p class="card-body muted">No variable yet. Add one, or paste the lines of a .env file.</p>
      )}
      {rows.value.length > 0 && (
        <VariableFields rows={rows.value} onChange={(changed) => (rows.value = changed)} isLocked={!mayAct()} />
      )}
      {failed.value !== '' && (
        <div class="card-body">
          <Note tone="bad">{failed.value}</Note>
        </div>
      )}
      {mayAct() && (
        <div class="form-end">
          <button type="button" class="button" onClick={() => add({})}>
            Add variable
          </button>
          <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isPasting.value = true)}>
            Paste .env
          </button>
          <span class="muted small row-end" role="status">
            {dirty === 0 ? '' : `${plural(dirty, 'change')} not saved`}
          </span>
          <button type="button" class="button" disabled={dirty === 0} onClick={cancel}>
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

/** A row as the server has it now. */
function savedRow(row: VariableRow): VariableRow {
  const { name, kind, value, isRemoved } = row;
  if (isRemoved) return row;
  const saved: Variable = { name, kind, injected: false, from: '', ...(kind === 'config' ? { value } : {}) };
  return { ...row, saved, value: kind === 'secret' ? '' : value };
}

/** A row that was removed on the server, or never filled in. */
const isSpent = ({ isRemoved, saved }: VariableRow): boolean => isRemoved && saved === null;
