import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../../api.ts';
import { mayAct } from '../../store/session.ts';
import { offeredWords, refusedField, secretsOf, storedOf } from '../../model/form.ts';
import type { Question } from '../../model/restart.ts';
import { Card } from '../card.tsx';
import { Note } from '../note.tsx';
import { useQuestion } from '../question.tsx';
import { FormRefusal } from './refusal.ts';
import { SavedMark } from './savedMark.tsx';
import type { Edited } from './useEdited.ts';
import { useSaved } from './useSaved.ts';

/** What a button of a form does, the same while it is done, and once it is. */
const verbs = { Save: ['Saving', 'Saved'], Add: ['Adding', 'Added'] } as const;

interface EditFormProps {
  readonly title: string;
  /** When what is saved applies. */
  readonly help: string;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly kind?: string;
    readonly path?: string;
  }[];
  readonly edited: Edited;
  /** Why what was typed cannot be saved; null where it can. */
  readonly problem?: () => string | null;
  /** What is asked before it is saved; null where nothing restarts. */
  readonly question?: () => Question | null;
  readonly save: () => Promise<ApiResult<unknown>>;
  readonly onSaved: () => void;
  /** What is another once the save is checked, such as a condition; otherwise what is read again. */
  readonly answer?: string;
  /** What is saved, for the button. */
  readonly what?: string;
  /** What the button does with it; it is saved where nothing is said. */
  readonly verb?: keyof typeof verbs;
  /** Whether nothing of it is shown again once it is saved. */
  readonly empties?: boolean;
  readonly children: ComponentChildren;
}

/** A form of settings that apply together. */
export function EditForm({
  title,
  help,
  fields,
  edited,
  problem,
  question,
  save,
  onSaved,
  answer = edited.read,
  what = 'settings',
  verb = 'Save',
  empties = false,
  children,
}: EditFormProps) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const saved = useSaved(answer, verbs[verb][1]);
  const isClean = edited.dirty.length === 0;
  const offered = offeredWords(fields, edited.offered);
  const refused = refusedField(fields, failed.value);
  const { ask, dialog } = useQuestion();
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy.value || isClean) return;
    failed.value = problem?.() ?? '';
    if (failed.value === '') ask(question?.() ?? null, () => void send());
  };
  const send = async () => {
    busy.value = true;
    saved.forget();
    const sent = edited.values;
    const answered = await save();
    busy.value = false;
    failed.value = answered.is === 'ok' ? '' : answered.error;
    if (answered.is !== 'ok') return;
    saved.taken();
    edited.saved(sent, storedOf(empties ? Object.keys(sent) : secretsOf(fields), sent));
    onSaved();
  };
  const cancel = () => {
    failed.value = '';
    edited.take();
  };
  const head = (
    <div class="card-head">
      <h2>{title}</h2>
      <span class="muted small">{help}</span>
    </div>
  );
  if (!mayAct())
    return (
      <Card label={title}>
        {head}
        <div class="card-body form">{children}</div>
      </Card>
    );
  return (
    <Card label={title}>
      {head}
      <form class="card-body form" onSubmit={submit}>
        <FormRefusal.Provider value={{ field: refused, text: failed.value }}>{children}</FormRefusal.Provider>
        {offered !== '' && !busy.value && (
          <Note tone="waiting">
            Changed elsewhere: {offered}. What you typed is kept.{' '}
            <button type="button" class="button button-small" onClick={cancel}>
              Show them
            </button>
          </Note>
        )}
        {failed.value !== '' && refused === '' && <Note tone="bad">{failed.value}</Note>}
        <div class="dialog-end">
          <SavedMark words={isClean ? saved.words : ''} />
          <button type="button" class="button" disabled={isClean} onClick={cancel}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isClean} aria-busy={busy.value}>
            {busy.value ? `${verbs[verb][0]} …` : `${verb} ${what}`}
          </button>
        </div>
      </form>
      {dialog}
    </Card>
  );
}
