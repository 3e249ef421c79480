import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { holdPage } from '../../router.ts';
import { arrived, editOf, knownOf, letGo, savedAs } from '../../model/edit.ts';
import { type FormValues, movedOn, unsaved } from '../../model/form.ts';
import { plural } from '../../model/plural.ts';

/** The values of a form under edit. */
export interface Edited {
  readonly values: FormValues;
  /** What the server had when the edit began. */
  readonly before: FormValues;
  /** The names of the fields that are not saved. */
  readonly dirty: readonly string[];
  /** What the server has, as one text. */
  readonly read: string;
  /** The fields that somebody else has changed since, with their new values. */
  readonly offered: FormValues;
  readonly set: (name: string, value: string) => void;
  /** Gives up what was typed for what the server has. */
  readonly take: () => void;
  /** What was sent is saved, and the server has what is `stored` now; what was typed since is not saved. */
  readonly saved: (sent: FormValues, stored: FormValues) => void;
}

/** How long the saved values may take to be read again. */
const readAgainMs = 5_000;

/** Follows the server until somebody types; what is typed stays, whatever arrives, and what arrived is offered. */
export function useEdited(server: FormValues): Edited {
  const edit = useSignal(editOf(server));
  const now = arrived(edit.value, server);
  const { before, values, held } = now;
  const dirty = unsaved(before, values);
  const known = knownOf(now, server);
  const read = JSON.stringify(server);
  useEffect(() => {
    edit.value = arrived(edit.peek(), server);
  }, [read, dirty.length]);
  useEffect(() => {
    if (Object.keys(held).length === 0) return undefined;
    const timer = setTimeout(() => (edit.value = letGo(edit.peek())), readAgainMs);
    return () => clearTimeout(timer);
  }, [JSON.stringify(held)]);
  useEffect(
    () =>
      dirty.length === 0 ? undefined : holdPage(`${plural(dirty.length, 'setting is', 'settings are')} not saved.`),
    [dirty.length],
  );
  return {
    values,
    before,
    dirty,
    read,
    offered: dirty.length === 0 ? {} : movedOn(before, known),
    set: (name, value) => {
      const of = arrived(edit.peek(), server);
      edit.value = { ...of, values: { ...of.values, [name]: value } };
    },
    take: () => (edit.value = { before: known, values: known, held }),
    saved: (sent, stored) => (edit.value = savedAs(edit.peek(), server, [sent, stored])),
  };
}
