import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Variable } from '../../../api.ts';
import { act } from '../../api.ts';
import { holdPage } from '../../router.ts';
import { plural } from '../../words/plural.ts';
import { useSaved } from '../form/useSaved.ts';
import {
  isAsSaved,
  isDirty,
  rowsOf,
  rowsProblem,
  savedRows,
  type VariableChange,
  type VariableRow,
} from '../../words/variables.ts';

/** The variables that an editor edits, and how it saves them. */
export interface Edited {
  /** As the server has them, those that are set elsewhere too. */
  readonly variables: readonly Variable[];
  /** The requests that save what is changed, one a row. */
  readonly requestsOf: (rows: readonly VariableRow[]) => readonly VariableChange[];
  readonly onSaved: () => void;
}

interface Editing {
  readonly rows: Signal<readonly VariableRow[]>;
  /** Variables that are set elsewhere. */
  readonly locked: readonly Variable[];
  /** The number of rows that are not saved. */
  readonly dirty: number;
  /** Whether the server has other variables than those that the editing began with. */
  readonly isMovedOn: boolean;
  readonly busy: Signal<boolean>;
  readonly failed: Signal<string>;
  /** What became of the last save. */
  readonly saved: string;
  /** Drops what is typed and shows what is stored. */
  readonly take: () => void;
  readonly save: () => Promise<void>;
}

/** The rows of an editor of variables. What is typed stays until it is saved or cancelled. */
export function useEditing({ variables, requestsOf, onSaved }: Edited): Editing {
  const rows = useSignal<readonly VariableRow[]>(rowsOf(variables));
  const stored = JSON.stringify(variables);
  const base = useSignal(stored);
  const busy = useSignal(false);
  const failed = useSignal('');
  const saved = useSaved(stored);
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
    saved.forget();
    for (const { key, path, body } of requestsOf(rows.value)) {
      const answer = await act(path, body);
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

  return { rows, locked, dirty, isMovedOn, busy, failed, saved: saved.words, take, save };
}
