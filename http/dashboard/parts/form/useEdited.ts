import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { holdPage } from '../../router.ts';
import { type FormValues, movedOn, unsaved } from '../../words/form.ts';
import { plural } from '../../words/plural.ts';

/** The values of a form under edit. */
export interface Edited {
  readonly values: FormValues;
  /** What the server had when the edit began. */
  readonly before: FormValues;
  /** The names of the fields that are not saved. */
  readonly dirty: readonly string[];
  /** The fields that somebody else has changed since, with their new values. */
  readonly offered: FormValues;
  readonly set: (name: string, value: string) => void;
  /** Gives up what was typed for what the server has. */
  readonly take: () => void;
  /** These values are what the server has now; what was typed since they were sent is not. */
  readonly saved: (sent: FormValues) => void;
}

/** Follows the server until somebody types; what is typed stays, whatever arrives, and what arrived is offered. */
export function useEdited(server: FormValues): Edited {
  const before = useSignal<FormValues>(server);
  const values = useSignal<FormValues>(server);
  const dirty = unsaved(before.value, values.value);
  const offered = movedOn(before.value, server);
  const hasMoved = Object.keys(offered).length > 0;
  const take = () => {
    before.value = server;
    values.value = server;
  };
  useEffect(() => {
    if (hasMoved && dirty.length === 0) take();
  }, [JSON.stringify(server), dirty.length]);
  useEffect(
    () =>
      dirty.length === 0 ? undefined : holdPage(`${plural(dirty.length, 'setting is', 'settings are')} not saved.`),
    [dirty.length],
  );
  return {
    values: values.value,
    before: before.value,
    dirty,
    offered: dirty.length === 0 ? {} : offered,
    set: (name, value) => (values.value = { ...values.peek(), [name]: value }),
    take,
    saved: (sent) => (before.value = sent),
  };
}
