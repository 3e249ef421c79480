import type { Field } from '../../model/settingFields.ts';

export interface FormFieldProps {
  readonly field: Pick<Field, 'name' | 'label' | 'kind' | 'help' | 'options' | 'redacted'>;
  readonly value: string;
  /** Whether a secret is stored, which stays while nothing is typed. */
  readonly isStored?: boolean;
  readonly onValue: (value: string) => void;
}
