import { isSecretKind } from '../../model/form.ts';
import { Hidden } from '../value.tsx';
import type { FormFieldProps } from './props.ts';

/** A setting for whoever may not change it: no field, because nothing can be typed. */
export const ReadField = ({ field, value, isStored = false }: Omit<FormFieldProps, 'onValue'>) => (
  <div class="field">
    {field.label}
    <span class="plain wrap">{value === '' && field.redacted ? <Hidden /> : shownValue(field, value, isStored)}</span>
  </div>
);

function shownValue({ kind, options = [] }: FormFieldProps['field'], value: string, isStored: boolean): string {
  if (kind === 'switch' || kind === 'state') return value === 'on' ? 'on' : 'off';
  if (isSecretKind(kind)) return isStored ? 'stored, never shown' : 'none';
  const option = options.find((one) => typeof one !== 'string' && one.value === value);
  if (typeof option === 'object') return option.label;
  return value === '' ? 'none' : value;
}
