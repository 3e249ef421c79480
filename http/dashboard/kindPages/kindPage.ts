import type { ComponentChildren } from 'preact';
import type { InstanceRead, Machine } from '../../api.ts';
import type { Action } from '../components/actionButton.tsx';
import type { TypedPath } from '../model/routeAnswers.ts';

/** A column that a kind adds to the list, by the name that the server gives it. */
export interface KindColumn {
  readonly name: string;
  readonly label: string;
  /** Shortens long values, such as hashes. */
  readonly shorten?: (value: string) => string;
}

interface Link {
  readonly to: string;
  readonly label: string;
}

/** The data from which the parts of a kind are made. */
export interface KindInput<O> {
  readonly instance: InstanceRead;
  /** The response of the object's own path. */
  readonly object: O;
  readonly machines: readonly Machine[];
}

/** An additional view beside the overview, such as a log. */
export interface KindView<O> {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  /** Whether the reader may see it. */
  readonly isOffered: () => boolean;
  readonly show: (input: KindInput<O>) => ComponentChildren;
}

/** The additions of a kind to the page of its instances and to their list; the rest is the same for every kind. */
export interface KindPage<O> {
  readonly kind: string;
  /** The part of an instance's id before the colon. */
  readonly plural: string;
  /** The plural noun, for sentences. */
  readonly label: string;
  /** Where the object is read whole; null where it never is. */
  readonly path: (name: string) => TypedPath<O> | null;
  /** Whether passes process its instances, which any user may request. */
  readonly hasPasses: boolean;
  /** What a person calls it, where that is not its name. */
  readonly title: (object: O) => string;
  readonly links: (object: O) => readonly Link[];
  /** Notices that must be visible beside the state. */
  readonly flags: (object: O) => readonly string[];
  readonly actions: (input: KindInput<O>) => readonly Action[];
  readonly facts: (input: KindInput<O>) => ComponentChildren;
  /** The command of `core` that shows the same; null where it has none. */
  readonly command?: (instance: InstanceRead) => string | null;
  readonly views: readonly KindView<O>[];
  readonly columns: readonly KindColumn[];
  /** What to show while there is no instance. */
  readonly empty?: () => ComponentChildren;
}

/** Any kind, for pages that do not depend on one. */
export type AnyKindPage = KindPage<unknown>;

/** Erases the type of a kind's object, which the pages do not need. */
export const kindPage = <O>(of: KindPage<O>): AnyKindPage => of as unknown as AnyKindPage;
