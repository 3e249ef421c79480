import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { mayAct, mayReadSensitive } from '../../store/session.ts';
import type { Field } from '../../words/settingFields.ts';
import { Note } from '../note.tsx';
import { Select } from '../select.tsx';
import { Hidden } from '../value.tsx';
import { FormRefusal } from './refusal.ts';

interface FormFieldProps {
  readonly field: Pick<Field, 'name' | 'word' | 'kind' | 'means' | 'options'>;
  readonly value: string;
  /** Whether a secret is stored, which stays while nothing is typed. */
  readonly isStored?: boolean;
  readonly onValue: (value: string) => void;
}

/** One setting with its name and what it means; whoever may not change it reads it. */
export function FormField({ field, value, isStored = false, onValue }: FormFieldProps) {
  const { name, word, kind, means, options = [] } = field;
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { field: refused, text } = useContext(FormRefusal);
  const problem = refused === name && name !== '' ? text : '';
  useEffect(() => {
    if (problem !== '') input.current?.focus();
  }, [problem]);
  const isLocked = !mayAct();
  if (kind === 'switch' || kind === 'state')
    return (
      <div class="field plain">
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'on'}
            disabled={isLocked}
            aria-describedby={means === undefined ? undefined : id}
            onChange={(event) => onValue(event.currentTarget.checked ? 'on' : '')}
          />
          {word}
        </label>
        <Means id={id} text={means} />
        <Problem id={id} text={problem} />
      </div>
    );
  if (isLocked && value === '' && !mayReadSensitive())
    return (
      <div class="field">
        {word} <Hidden />
      </div>
    );
  if (kind === 'choice')
    return (
      <div class="stack-tight">
        <Select look="field" word={word} value={value} options={options} disabled={isLocked} onChoose={onValue} />
        <Means id={id} text={means} />
        <Problem id={id} text={problem} />
      </div>
    );
  const given = {
    ref: input,
    value,
    readOnly: isLocked,
    spellcheck: false,
    'aria-invalid': problem !== '',
    'aria-describedby': describing(id, { means, problem }),
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onValue(event.currentTarget.value),
  } as const;
  const placeholder = isStored ? 'unchanged' : '';
  return (
    <div class="stack-tight">
      <label class="field">
        {word}
        {kind === 'secretText' && (
          <textarea class="input area mono" rows={4} autocomplete="off" placeholder={placeholder} {...given} />
        )}
        {kind === 'secret' && (
          <input class="input" type="password" autocomplete="new-password" placeholder={placeholder} {...given} />
        )}
        {kind !== 'secret' && kind !== 'secretText' && (
          <input class="input" inputMode={kind === 'number' ? 'numeric' : 'text'} autocomplete="off" {...given} />
        )}
      </label>
      <Means id={id} text={means} />
      <Problem id={id} text={problem} />
    </div>
  );
}

const problemOf = (id: string): string => `${id}-problem`;

/** What is read out with a field: what it means, and why it was refused. */
function describing(id: string, { means, problem }: { readonly means: string | undefined; readonly problem: string }) {
  const ids = [...(means === undefined ? [] : [id]), ...(problem === '' ? [] : [problemOf(id)])];
  return ids.length === 0 ? undefined : ids.join(' ');
}

const Means = ({ id, text }: { readonly id: string; readonly text: string | undefined }) =>
  text === undefined ? null : (
    <span id={id} class="muted small plain">
      {text}
    </span>
  );

const Problem = ({ id, text }: { readonly id: string; readonly text: string }) =>
  text === '' ? null : (
    <div id={problemOf(id)}>
      <Note tone="bad">{text}</Note>
    </div>
  );
