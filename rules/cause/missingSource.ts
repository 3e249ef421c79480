import { hidden, nothing, sentence, toObservers, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';

/** A source of a variable that is not there: an object, or one key of it. */
export interface MissingSource {
  /** As a message names it: `shared variable "X"`. */
  readonly what: string;
  readonly on: ObjectRef;
  /** The missing key; null when the object itself is missing. */
  readonly key: string | null;
  /** The variable that needs it; null when everything of the object is read. */
  readonly variable: string | null;
}

/** The cause of a variable that cannot be read. */
export const causeOfMissing = ({ on, key, variable }: MissingSource): FoundCause => ({
  reason: key === null ? 'SecretMissing' : 'KeyMissing',
  message: sentence('{source} "{name}"{key} is missing{variable}', {
    source: toViewers(on.kind),
    name: hidden(on.name),
    key: key === null ? nothing : sentence(': key "{key}"', { key: hidden(key) }),
    variable: variable === null ? nothing : sentence(', variable {name}', { name: toObservers(variable) }),
  }),
  on,
});
