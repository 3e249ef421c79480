import { type FormValues, movedOn, unsaved } from './form.ts';

/** A form under edit. */
export interface Edit {
  /** What the server had when the edit began. */
  readonly before: FormValues;
  readonly values: FormValues;
  /** What the server said of the fields that were just saved; until it says something else, it was not read again. */
  readonly held: FormValues;
}

export const editOf = (server: FormValues): Edit => ({ before: server, values: server, held: {} });

/** The same edit over other values of some fields: what was typed into them stays. */
function over({ before, values, held }: Edit, moved: FormValues): Edit {
  const isTyped = (name: string) => values[name] !== before[name];
  return {
    before: { ...before, ...moved },
    values: { ...values, ...where(moved, (name) => !isTyped(name)) },
    held: where(held, (name) => !(name in moved)),
  };
}

const where = (values: FormValues, holds: (name: string, value: string) => boolean): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => holds(name, value)));

const isEmpty = (values: FormValues): boolean => Object.keys(values).length === 0;

/** What the server has, with what was saved and not read again since. */
export const knownOf = ({ before, held }: Edit, server: FormValues): FormValues => ({
  ...server,
  ...where(before, (name) => name in held && server[name] === held[name]),
});

/** What was saved arrives, whatever is typed meanwhile; the rest follows the server until somebody types. */
export function arrived(edit: Edit, server: FormValues): Edit {
  const readAgain = where(server, (name, value) => name in edit.held && value !== edit.held[name]);
  const next = isEmpty(readAgain) ? edit : over(edit, readAgain);
  const moved = movedOn(next.before, knownOf(next, server));
  return isEmpty(moved) || unsaved(next.before, next.values).length > 0 ? next : over(next, moved);
}

/** These values were saved, and are `stored` so: what was typed since they were sent is not. */
export function savedAs(edit: Edit, server: FormValues, [sent, stored]: readonly [FormValues, FormValues]): Edit {
  const changed = unsaved(edit.before, sent);
  return {
    before: stored,
    values: { ...edit.values, ...where(stored, (name) => edit.values[name] === sent[name]) },
    held: where(server, (name, value) => changed.includes(name) && value !== stored[name]),
  };
}

/** The server keeps saying what it said before the save: it has other values than those that were sent. */
export const letGo = (edit: Edit): Edit => over(edit, edit.held);
