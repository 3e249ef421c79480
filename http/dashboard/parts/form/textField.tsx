interface TextFieldProps {
  readonly word: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onValue: (value: string) => void;
}

/** A line of text with its name. */
export const TextField = ({ word, value, placeholder = '', onValue }: TextFieldProps) => (
  <label class="field">
    {word}
    <input
      class="input"
      value={value}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </label>
);
