import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type EnvRead, readEnv } from '../../../../rules/variables/env.ts';
import type { Variable } from '../../../api.ts';
import { holdPage } from '../../router.ts';
import { plural } from '../../model/plural.ts';
import { useSaved } from '../form/useSaved.ts';
import {
  fromEnv,
  isAsSaved,
  isDirty,
  rowsOf,
  rowsProblem,
  savedRows,
  type VariableChange,
  type VariableRow,
} from '../../model/variables.ts';
import { send } from '../../api.ts';

/** The variables that an editor edits, and how it saves them. */
export interface Edited {
  /** As the server has them, those that are set elsewhere too. */
  readonly variables: readonly Variable[];
  /** The requests that save what is changed, one a row. */
  readonly requestsOf: (rows: readonly VariableRow[]) => readonly VariableChange[];
  readonly onSaved: () => void;
}

/** An editor at work: what is typed, what became of it, and what may be done. */
export interface Editing {
  readonly rows: Signal<readonly VariableRow[]>;
  /** The text that is typed instead of rows; null where none is. */
  readonly typed: Signal<string | null>;
  /** What that text says: with a problem in it the rows stay as they were. */
  readonly read: EnvRead;
  readonly onText: (text: string) => void;
  /** Variables that are set elsewhere. */
  readonly locked: readonly Variable[];
  /** The number of rows that are not saved, and of problems in the text. */
  readonly dirty: number;
  /** Whether the server has other variables than those that the editing began with. */
  readonly isMovedOn: boolean;
  readonly busy: Signal<boolean>;
  readonly failed: Signal<string>;
  /** What became of the last save. */
  readonly saved: string;
  /** Drops what is typed and shows what is stored. */
  readonly take: () => void;
  /** Whether what is typed can be saved; if not, `failed` says why. */
  readonly isSavable: () => boolean;
  readonly save: () => Promise<void>;
}

/** The rows of an editor of variables. What is typed stays until it is saved or cancelled. */
export function useEditing({ variables, requestsOf, onSaved }: Edited): Editing {
  const rows = useSignal<readonly VariableRow[]>(rowsOf(variables));
  const stored = JSON.stringify(variables);
  const base = useSignal(stored);
  const busy = useSignal(false);
  const failed = useSignal('');
  const typed = useSignal<string | null>(null);
  const read = useMemo(() => readEnv(typed.value ?? ''), [typed.value]);
  const dirty = rows.value.filter(isDirty).length + read.problems.length;
  const saved = useSaved(stored);
  // After a save the server answers what was saved, which is no change of somebody else.
  const isRead = base.value !== stored;
  const isMovedOn = isRead && !isAsSaved(rows.value, variables);
  const locked = variables.filter(({ injected }) => injected);
  const take = () => {
    rows.value = rowsOf(variables);
    typed.value = null;
    base.value = stored;
    failed.value = '';
  };
  // What is stored, or typed, may change once more before this runs.
  useEffect(() => {
    if (isRead && isAsSaved(rows.peek(), variables)) base.value = stored;
    else if (isRead && !rows.peek().some(isDirty) && read.problems.length === 0) take();
  }, [stored, dirty]);
  useEffect(
    () => (dirty === 0 ? undefined : holdPage(`${plural(dirty, 'change is', 'changes are')} not saved.`)),
    [dirty],
  );

  const onText = (text: string) => {
    const { variables: taken, problems } = readEnv(text);
    typed.value = text;
    if (problems.length === 0) rows.value = fromEnv(rows.value, taken);
  };

  const isSavable = () => {
    const names = locked.map(({ name }) => name);
    failed.value = rowsProblem(rows.value, names) ?? '';
    return failed.value === '' && !busy.value;
  };
  const save = async () => {
    if (busy.value) return;
    busy.value = true;
    saved.forget();
    for (const { key, request } of requestsOf(rows.value)) {
      const answer = await send(request);
      if (answer.is !== 'ok') {
        failed.value = `${key}: ${answer.error}`;
        break;
      }
      rows.value = savedRows(rows.value, key);
    }
    busy.value = false;
    if (failed.value === '') saved.taken();
    onSaved();
  };

  return {
    rows,
    typed,
    read,
    onText,
    locked,
    dirty,
    isMovedOn,
    busy,
    failed,
    saved: saved.words,
    take,
    isSavable,
    save,
  };
}
