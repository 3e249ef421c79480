import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ApiResult } from '../../../api.ts';
import { FormField } from '../../../components/form/formField.tsx';
import { FormRefusal } from '../../../components/form/refusal.ts';
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
  const busy = useSignal(false);
  const refused = useSignal('');
  const typed = url.value.trim();
  const isClean = typed === '' || typed === before;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.value || isClean) return;
    busy.value = true;
    refused.value = '';
    const answer = await send(typed);
    busy.value = false;
    if (answer.is !== 'ok') {
      refused.value = answer.error;
      return;
    }
    url.value = before;
    onSent(answer.value);
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      <FormRefusal.Provider value={{ field: addressField.name, text: refused.value }}>
        <FormField field={addressField} value={url.value} onValue={(text) => (url.value = text)} />
      </FormRefusal.Provider>
      <div class="dialog-end">
        {children}
        <button type="submit" class="button button-main" disabled={isClean} aria-busy={busy.value}>
          {busy.value ? `${busyVerb} …` : verb}
        </button>
      </div>
    </form>
  );
}
