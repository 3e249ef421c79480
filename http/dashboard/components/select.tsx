interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  /** What it is called in the form that is sent. */
  readonly name?: string;
  readonly value: string;
  /** Options whose value is their word may be given as texts. */
  readonly options: readonly (string | Option)[];
  /** A field of a form, or one in a row of tools, which is the default. */
  readonly look?: 'check' | 'field';
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** One of several values, with what it is of. */
export const Select = ({ label, name, value, options, look = 'check', disabled = false, onChoose }: SelectProps) => (
  <label class={look}>
    {label}
    <select
      class="select"
      name={name}
      value={value}
      disabled={disabled}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options
        .map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
        .map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
    </select>
  </label>
);
