import type { ComponentChildren } from 'preact';
import { refusedField } from '../../model/form.ts';
import { Refused } from '../refused.tsx';
import { FormRefusal } from './refusal.ts';

interface RefusedFormProps {
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  /** Why the form was refused; empty where it was not. */
  readonly text: string;
  readonly children: ComponentChildren;
}

/** The fields of a form, with why it was refused: at the field that this is about, otherwise below all of them. */
export function RefusedForm({ fields, text, children }: RefusedFormProps) {
  const field = refusedField(fields, text);
  return (
    <>
      <FormRefusal.Provider value={{ field, text }}>{children}</FormRefusal.Provider>
      {field === '' && <Refused text={text} />}
    </>
  );
}
