import type { Signal } from '@preact/signals';

/** What is looked for, and what of it is found so far. */
export interface Search {
  readonly text: Signal<string>;
  /** The entry that Enter chooses, by its place. */
  readonly active: Signal<number>;
  /** The number of entries found; null until they are known. */
  readonly count: Signal<number | null>;
  /** Whether Enter was pressed: what is found first is opened as soon as everything is read. */
  readonly isEntered: Signal<boolean>;
}

/** The element of an entry, by its place. */
export const optionId = (index: number) => `found-${index}`;
