import { useSignal } from '@preact/signals';
import { mayAct } from '../../store/session.ts';
import { plural } from '../../model/plural.ts';
import type { Question } from '../../model/restart.ts';
import { type VariableRow, withNewRow } from '../../model/variables.ts';
import { Card } from '../card.tsx';
import { readsOnly } from '../checkNow.ts';
import { Empty } from '../empty.tsx';
import { Note } from '../note.tsx';
import { useQuestion } from '../question.tsx';
import { Refused } from '../refused.tsx';
import { type Edited, type Editing, useEditing } from './editing.ts';
import { EnvText } from './envText.tsx';
import { LockedRows } from './lockedRows.tsx';
import { PasteEnv } from './pasteEnv.tsx';
import { ValueRows } from './valueRows.tsx';
import { noVariableText } from './text.ts';

interface KeyValueEditorProps extends Edited {
  readonly title: string;
  /** When a saved value applies, in a few words. */
  readonly help: string;
  /** What is asked before variables of these names are saved; null where nothing restarts. */
  readonly question?: (names: readonly string[]) => Question | null;
}

/** Edits names with values, as rows or as text. What is typed stays until it is saved or cancelled. */
export function KeyValueEditor({ title, help, question, variables, requestsOf, onSaved }: KeyValueEditorProps) {
  const isText = useSignal(false);
  const isPasting = useSignal(false);
  /** The row that was just added. */
  const added = useSignal(-1);
  const editing = useEditing({ variables, requestsOf, onSaved });
  const { rows, typed, read, locked, dirty, isMovedOn, busy, failed, take, isSavable, save } = editing;
  const { ask, dialog } = useQuestion();
  const asked = () => question?.(requestsOf(rows.value).map(({ key }) => key)) ?? null;
  const isUnread = read.problems.length > 0;

  /** Rows that changed otherwise than by the text are shown in it. */
  const setRows = (changed: readonly VariableRow[]) => {
    typed.value = null;
    rows.value = changed;
  };

  if (!mayAct())
    return (
      <Card title={title} actions={<span class="muted small">{help}</span>}>
        <p class="card-body muted">{readsOnly}</p>
        <LockedRows variables={variables} />
      </Card>
    );
  const add = () => {
    isText.value = false;
    setRows(withNewRow(rows.value));
    added.value = rows.value.at(-1)?.id ?? -1;
  };
  return (
    <Card
      title={title}
      actions={
        <>
          <span class="muted small">{help}</span>
          <button
            type="button"
            class="button button-small row-end"
            aria-pressed={isText.value}
            disabled={isUnread}
            onClick={() => {
              typed.value = null;
              isText.value = !isText.value;
            }}
          >
            Edit as text
          </button>
        </>
      }
    >
      {rows.value.length === 0 && !isText.value && <Empty title="No variable yet" text={noVariableText} />}
      {isText.value && <EnvText rows={rows.value} typed={typed} read={read} onText={editing.onText} />}
      {!isText.value && rows.value.length > 0 && (
        <ValueRows rows={rows.value} added={added.value} onChange={(changed) => (rows.value = changed)} />
      )}
      <LockedRows variables={locked} />
      {isMovedOn && dirty > 0 && !busy.value && <ChangedElsewhere onShow={take} />}
      <Refused text={failed.value} inCard />
      <End
        editing={editing}
        onAdd={add}
        onPaste={() => (isPasting.value = true)}
        onSave={() => isSavable() && ask(asked(), () => void save())}
      />
      {dialog}
      {isPasting.value && <PasteEnv rows={rows.value} onRows={setRows} onClose={() => (isPasting.value = false)} />}
    </Card>
  );
}

const ChangedElsewhere = ({ onShow }: { readonly onShow: () => void }) => (
  <div class="card-body">
    <Note tone="waiting">
      The variables were changed elsewhere.{' '}
      <button type="button" class="button button-small" onClick={onShow}>
        Show them
      </button>
    </Note>
  </div>
);

interface EndProps {
  readonly editing: Editing;
  readonly onAdd: () => void;
  readonly onPaste: () => void;
  readonly onSave: () => void;
}

/** What adds rows, and what saves or drops them. */
function End({ editing: { read, dirty, saved, busy, take }, onAdd, onPaste, onSave }: EndProps) {
  const isUnread = read.problems.length > 0;
  return (
    <div class="form-end">
      <button type="button" class="button" disabled={isUnread} onClick={onAdd}>
        Add variable
      </button>
      <button type="button" class="button" aria-haspopup="dialog" disabled={isUnread} onClick={onPaste}>
        Paste .env
      </button>
      <span class="muted small row-end" role="status">
        {dirty === 0 ? saved : `${plural(dirty, 'change')} not saved`}
      </span>
      <button type="button" class="button" disabled={dirty === 0} onClick={take}>
        Cancel
      </button>
      <button
        type="button"
        class="button button-main"
        disabled={dirty === 0 || isUnread}
        aria-busy={busy.value}
        onClick={onSave}
      >
        {busy.value ? 'Saving …' : 'Save variables'}
      </button>
    </div>
  );
}
