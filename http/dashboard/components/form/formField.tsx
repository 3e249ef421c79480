import { useEffect, useId, useRef } from 'preact/hooks';
import { mayAct } from '../../store/session.ts';
import { isSecretKind } from '../../model/form.ts';
import type { Field } from '../../model/settingFields.ts';
import { Select } from '../select.tsx';
import { FieldProblem } from './fieldProblem.tsx';
import { ReadField } from './readField.tsx';
import { useRefusal } from './refusal.ts';
import type { FormFieldProps } from './props.ts';

/** One setting with its name and what it means; whoever may not change it reads it. */
export function FormField(props: FormFieldProps) {
  const { help } = props.field;
  const id = useId();
  const { problem } = useRefusal(props.field.name);
  if (!mayAct()) return <ReadField {...props} />;
  return (
    <div class="stack-tight">
      <Control {...props} id={id} problem={problem} />
      {help !== undefined && (
        <span id={id} class="muted small plain">
          {help}
        </span>
      )}
      <FieldProblem id={problemOf(id)} text={problem} />
    </div>
  );
}

const isSwitch = (kind: Field['kind']): boolean => kind === 'switch' || kind === 'state';

interface ControlProps extends FormFieldProps {
  readonly id: string;
  readonly problem: string;
}

function Control({
  field: { label, kind, help, options = [] },
  value,
  isStored = false,
  onValue,
  ...of
}: ControlProps) {
  const described = describing(of.id, { help, problem: of.problem });
  if (isSwitch(kind))
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === 'on'}
          aria-describedby={described}
          onChange={(event) => onValue(event.currentTarget.checked ? 'on' : '')}
        />
        {label}
      </label>
    );
  if (kind === 'choice')
    return <Select look="field" label={label} value={value} options={options} onChoose={onValue} />;
  return (
    <label class="field">
      {label}
      <Line
        kind={kind}
        value={value}
        isStored={isStored}
        described={described}
        problem={of.problem}
        onValue={onValue}
      />
    </label>
  );
}

interface LineProps extends Pick<ControlProps, 'value' | 'problem' | 'onValue'> {
  readonly kind: Field['kind'];
  readonly isStored: boolean;
  readonly described: string | undefined;
}

/** What is typed into; a refused one gets the focus. */
function Line({ kind, value, isStored, described, problem, onValue }: LineProps) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (problem !== '') input.current?.focus();
  }, [problem]);
  const attributes = {
    ref: input,
    value,
    spellcheck: false,
    placeholder: isStored && isSecretKind(kind) ? 'unchanged' : '',
    'aria-invalid': problem !== '',
    'aria-describedby': described,
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onValue(event.currentTarget.value),
  } as const;
  if (kind === 'secretText' || kind === 'lines')
    return <textarea class="input area mono" rows={4} autocomplete="off" {...attributes} />;
  if (kind === 'secret') return <input class="input" type="password" autocomplete="new-password" {...attributes} />;
  return <input class="input" inputMode={kind === 'number' ? 'numeric' : 'text'} autocomplete="off" {...attributes} />;
}

const problemOf = (id: string): string => `${id}-problem`;

/** What is read out with a field: what it means, and why it was refused. */
function describing(id: string, { help, problem }: { readonly help: string | undefined; readonly problem: string }) {
  const ids = [...(help === undefined ? [] : [id]), ...(problem === '' ? [] : [problemOf(id)])];
  return ids.length === 0 ? undefined : ids.join(' ');
}
