import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../../../api.ts';
import { Form } from '../../../components/form/form.tsx';
import { submitButton } from '../../../components/form/formButtons.tsx';
import { FormField } from '../../../components/form/formField.tsx';
import { addressField } from './text.ts';

interface AddressFormProps<T> {
  /** Where the receiver is so far; empty for a new one. */
  readonly before: string;
  readonly verb: string;
  readonly busyVerb: string;
  readonly send: (url: string) => Promise<ApiResult<T>>;
  readonly onSent: (made: T) => void;
  /** More buttons, in front of the one that sends. */
  readonly children?: ComponentChildren;
}

/** The address of a receiver; why it was refused stands at it. */
export function AddressForm<T>({ before, verb, busyVerb, send, onSent, children }: AddressFormProps<T>) {
  const url = useSignal(before);
  const typed = url.value.trim();
  const isClean = typed === '' || typed === before;
  return (
    <Form
      onlyField={addressField.name}
      send={() => send(typed)}
      onDone={(made) => {
        url.value = before;
        onSent(made);
      }}
      lead={children}
      buttons={submitButton(verb, busyVerb, { isDisabled: isClean })}
    >
      <FormField field={addressField} value={url.value} onValue={(text) => (url.value = text)} />
    </Form>
  );
}
