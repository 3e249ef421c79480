import { useId } from 'preact/hooks';

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  /** What the choice means, in a sentence. */
  readonly help?: string;
  /** Whether it is preselected. */
  readonly chosen?: boolean;
  /** Whether it cannot be chosen now; what it means says why. */
  readonly disabled?: boolean;
  readonly onChoose?: () => void;
}

/** One of several options that exclude each other. */
export function Choice({ name, value, label, help, chosen = false, disabled = false, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <label class="choice">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen}
        disabled={disabled}
        onChange={onChoose}
        aria-labelledby={`${id}-word`}
        aria-describedby={help === undefined ? undefined : `${id}-means`}
      />
      <span>
        <span id={`${id}-word`}>{label}</span>
        {help !== undefined && (
          <span id={`${id}-means`} class="choice-means">
            {help}
          </span>
        )}
      </span>
    </label>
  );
}
