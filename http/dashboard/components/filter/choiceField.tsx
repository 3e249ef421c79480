import { Select } from '../select.tsx';

interface ChoiceFieldProps {
  readonly label: string;
  /** Empty for all. */
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A field of a page's own in the filter: one of some values, or all. */
export const ChoiceField = ({ options, onChange, ...field }: ChoiceFieldProps) => (
  <Select {...field} options={[{ value: '', label: 'all' }, ...options]} onChoose={onChange} />
);
