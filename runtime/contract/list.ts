import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Acting, BaseFacts, Fields, Lifecycle, ReconcileInput } from './lifecycle.ts';
import type { Ensure } from './ensure.ts';

/** What is known when one entry of a list is observed. */
export interface Observing<O, Entry> {
  readonly object: O;
  readonly key: string;
  /** Absent where it is still to be made. */
  readonly entry: Entry | undefined;
  readonly reader: CacheReader;
  readonly moment: ReconcileInput;
}

/**
 * The machine of the entries of a list in the status: each entry is an instance of its own, known by a field and never
 * by its position.
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
  /** The field of an entry that names it among the others. */
  readonly key: keyof Entry & string;
  /** The keys that are asked for and have no entry yet, as far as there is room for them, in their order. */
  awaited(object: O): readonly string[];
  /**
   * Whether an entry waits for the same as another one, and would be decided alike: a pass decides on one of them.
   */
  waitsAlike?(object: O, key: string): boolean;
  /** Fields of the status once an awaited entry is made, or will not be. */
  answered(object: O, key: string): Fields;
  /** The list with a new entry, without what has to make room for it. */
  entered(list: readonly Entry[], entry: Entry): readonly Entry[];
  /** What stands for an entry in a list of instances. */
  columns(entry: Entry, object: O): Readonly<Record<string, string>>;
  read(entry: Entry): State;
  write(to: State): Fields;
  observe(observing: Observing<O, Entry>): Omit<Facts, 'asked' | 'found'>;
  /** For each name in `meta.ensures`, how it is fulfilled for the entry of a key. */
  ensures(key: string): Readonly<Record<string, Ensure<O>>>;
  /** Each named action writes fields of the entry, and does nothing else. */
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
