interface TextFieldProps {
  readonly word: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Whether nobody beside the screen should read it. */
  readonly isSecret?: boolean;
  readonly onValue: (value: string) => void;
}

/** A line of text with its name. */
export function TextField({ word, value, placeholder = '', isSecret = false, onValue }: TextFieldProps) {
  const field = {
    class: 'input',
    value,
    placeholder,
    spellcheck: false,
    onInput: (event: Event & { readonly currentTarget: HTMLInputElement }) => onValue(event.currentTarget.value),
  } as const;
  return (
    <label class="field">
      {word}
      {isSecret ? (
        <input type="password" autocomplete="new-password" {...field} />
      ) : (
        <input autocomplete="off" {...field} />
      )}
    </label>
  );
}
