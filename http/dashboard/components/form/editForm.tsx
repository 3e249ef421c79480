import { useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../../api.ts';
import { mayAct } from '../../store/session.ts';
import { offeredWords, secretsOf, storedOf } from '../../model/form.ts';
import type { Question } from '../../model/restart.ts';
import { Card } from '../card.tsx';
import { Note } from '../note.tsx';
import { Form } from './form.tsx';
import { submitButton } from './formButtons.tsx';
import type { Edited } from './useEdited.ts';
import { useQuestion } from '../question.tsx';
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
  const isClean = edited.dirty.length === 0;
  const offered = offeredWords(fields, edited.offered);
  const sent = useRef(edited.values);
  const saving = useSaved(answer, verbs[verb][1]);
  const { ask, dialog } = useQuestion();
  const explanation = <span class="muted small">{help}</span>;
  if (!mayAct())
    return (
      <Card title={title} actions={explanation}>
        <div class="card-body form">{children}</div>
      </Card>
    );
  return (
    <Card title={title} actions={explanation}>
      <Form
        look="card-body form"
        fields={fields}
        {...(problem && { problem })}
        ask={(go) => ask(question?.() ?? null, go)}
        send={() => {
          sent.current = edited.values;
          return save();
        }}
        onDone={() => {
          edited.saved(sent.current, storedOf(empties ? Object.keys(sent.current) : secretsOf(fields), sent.current));
          onSaved();
        }}
        buttons={submitButton(`${verb} ${what}`, verbs[verb][0], { isDisabled: isClean })}
        saving={saving}
        isSavedShown={isClean}
        onCancel={edited.take}
        isCancelDisabled={isClean}
        notice={
          offered !== '' && (
            <Note tone="waiting">
              Changed elsewhere: {offered}. What you typed is kept.{' '}
              <button type="button" class="button button-small" onClick={edited.take}>
                Show them
              </button>
            </Note>
          )
        }
      >
        {children}
      </Form>
      {dialog}
    </Card>
  );
}
