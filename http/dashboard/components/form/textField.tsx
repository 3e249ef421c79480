import { useEffect, useId, useRef } from 'preact/hooks';
import { FieldProblem } from './fieldProblem.tsx';
import { useRefusal } from './refusal.ts';

interface TextFieldProps {
  readonly label: string;
  /** Its name in the API, by which a refusal is about it. */
  readonly name?: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Whether nobody beside the screen should read it. */
  readonly isSecret?: boolean;
  readonly onValue: (value: string) => void;
  readonly onLeave?: () => void;
}

/** A line of text with its name, and why it was refused. */
export function TextField({
  label,
  name = '',
  value,
  placeholder = '',
  isSecret = false,
  onValue,
  onLeave,
}: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { problem, takesFocus } = useRefusal(name);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const field = {
    ref: input,
    class: 'input',
    value,
    placeholder,
    spellcheck: false,
    'aria-invalid': problem !== '',
    'aria-describedby': problem === '' ? undefined : id,
    onBlur: onLeave,
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement }) => onValue(event.currentTarget.value),
  } as const;
  return (
    <div class="stack-tight">
      <label class="field">
        {label}
        {isSecret ? (
          <input type="password" autocomplete="new-password" {...field} />
        ) : (
          <input autocomplete="off" {...field} />
        )}
      </label>
      <FieldProblem id={id} text={problem} />
    </div>
  );
}
