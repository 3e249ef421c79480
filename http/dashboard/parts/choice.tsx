interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly word: string;
  /** What is chosen by it, in a sentence. */
  readonly means?: string;
  /** Whether it is chosen from the start. */
  readonly chosen?: boolean;
  readonly onChoose?: () => void;
}

/** One of several that exclude each other. */
export const Choice = ({ name, value, word, means, chosen = false, onChoose }: ChoiceProps) => (
  <label class="choice">
    <input type="radio" name={name} value={value} defaultChecked={chosen} onChange={onChoose} />
    <span>
      {word}
      {means !== undefined && <span class="choice-means">{means}</span>}
    </span>
  </label>
);
