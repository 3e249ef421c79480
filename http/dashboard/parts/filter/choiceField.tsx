interface ChoiceFieldProps {
  readonly word: string;
  /** Empty for all. */
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A field of a page's own in the filter: one of some values, or all. */
export const ChoiceField = ({ word, value, options, onChange }: ChoiceFieldProps) => (
  <label class="check">
    {word}
    <select class="select" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">all</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  </label>
);
