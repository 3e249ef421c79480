import type { ComponentChildren } from 'preact';
import type { InstanceRead, Machine } from '../../api.ts';
import type { Asked } from '../parts/actionButton.tsx';

/** What a kind tells of in a column of its own, by the name the server gives it. */
export interface KindColumn {
  readonly name: string;
  readonly word: string;
  /** Shortens what is long by nature, such as a hash. */
  readonly shorten?: (value: string) => string;
}

export interface Link {
  readonly to: string;
  readonly word: string;
}

/** What the parts that a kind fills are made from. */
export interface Given<O> {
  readonly instance: InstanceRead;
  /** The object as its own path answers it. */
  readonly object: O;
  readonly machines: readonly Machine[];
}

/** A view of its own beside the overview, such as a log. */
export interface KindView<O> {
  /** As the address says it. */
  readonly name: string;
  readonly word: string;
  /** Whether it is offered to whoever reads. */
  readonly isOffered: () => boolean;
  readonly show: (given: Given<O>) => ComponentChildren;
}

/** What a kind adds to the page of its instances and to their list; all else is the same for every kind. */
export interface KindPage<O> {
  readonly kind: string;
  /** Before the colon of an instance's id. */
  readonly plural: string;
  /** Several of them, in a sentence. */
  readonly word: string;
  /** Where the object is read whole; null where it never is. */
  readonly path: (name: string) => string | null;
  /** Whether passes look at its instances, which anybody may ask for. */
  readonly isLookedAt: boolean;
  /** What a person calls it, where that is not its name. */
  readonly title: (object: O) => string;
  readonly links: (object: O) => readonly Link[];
  /** What has to be seen beside its state. */
  readonly flags: (object: O) => readonly string[];
  readonly actions: (given: Given<O>) => readonly Asked[];
  readonly facts: (given: Given<O>) => ComponentChildren;
  readonly views: readonly KindView<O>[];
  readonly columns: readonly KindColumn[];
  /** What to do while there is none. */
  readonly empty?: () => ComponentChildren;
}

/** Any kind, for the pages that do not care whose they are. */
export type AnyKindPage = KindPage<unknown>;

/** Erases what the pages need not know of a kind's object. */
export const kindPage = <O>(of: KindPage<O>): AnyKindPage => of as unknown as AnyKindPage;
