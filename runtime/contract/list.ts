import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Acting, BaseFacts, Fields, Lifecycle, ReconcileInput } from './lifecycle.ts';
import type { Ensure } from './ensure.ts';

/** The input of an observation of one entry of a list. */
export interface Observing<O, Entry> {
  readonly object: O;
  readonly key: string;
  /** Absent until it is created. */
  readonly entry: Entry | undefined;
  readonly reader: CacheReader;
  readonly input: ReconcileInput;
}

/**
 * The machine of the entries of a list in the status: each entry is an instance, identified by a field and never by its
 * position.
 */
export interface Entries<
  O extends KubeObject,
  Entry,
  Facts extends BaseFacts,
  State extends string,
  Event extends string,
> extends Pick<
  Lifecycle<O, Facts, State, Event>,
  'name' | 'machine' | 'rows' | 'absence' | 'claims' | 'trouble' | 'rules'
> {
  /** The list in the status. */
  readonly list: string;
  /** The field that identifies an entry. */
  readonly key: keyof Entry & string;
  /** The requested keys without an entry, in order, as far as the list has capacity. */
  awaited(object: O): readonly string[];
  /** Whether an entry waits for the same as another one and would be decided alike; a pass decides one of them. */
  waitsAlike?(object: O, key: string): boolean;
  /** Fields of the status once an awaited entry exists or was rejected. */
  answered(object: O, key: string): Fields;
  /** The list with a new entry, and without the entries it replaces. */
  entered(list: readonly Entry[], entry: Entry): readonly Entry[];
  /** The columns of an entry in a list of instances. */
  columns(entry: Entry, object: O): Readonly<Record<string, string>>;
  read(entry: Entry): State;
  write(to: State): Fields;
  observe(observing: Observing<O, Entry>): Omit<Facts, 'asked' | 'found'>;
  /** How each ensure named in `meta.ensures` is fulfilled for an entry. */
  ensures(key: string): Readonly<Record<string, Ensure<O>>>;
  /** Actions of an entry only write its fields. */
  readonly actions: Readonly<
    Record<
      string,
      { readonly patch?: (acting: Acting<O, Facts>, of: Pick<Observing<O, Entry>, 'key' | 'entry'>) => Fields }
    >
  >;
}

export type AnyEntries = Entries<KubeObject, Fields, BaseFacts, string, string>;

/** Erases the types of a list that the runtime need not know. */
export const entries = <
  O extends KubeObject,
  Entry,
  Facts extends BaseFacts,
  State extends string,
  Event extends string,
>(
  of: Entries<O, Entry, Facts, State, Event>,
): AnyEntries => of as unknown as AnyEntries;
