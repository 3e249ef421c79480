import type { View } from '../access/needs.ts';

/** A view that is not told everything. */
export type Redacted = Exclude<View, 'whole'>;

/** The least view that is told a value as it is, or each of a list of values. */
type Told = 'viewer' | 'observer';
/** The same of a record of values, with its names. */
type Entries = 'entries to viewers' | 'entries to observers';
/** A sentence is told without what is hidden in it; one that is hidden whole, in the words of the tables. */
type InWords = 'move in words' | 'message in words' | 'failure in words';
/** Its names are told to observers, its values to nobody under /api/v1 (document 002, Authentication; SEC-019). */
type Names = 'names to observers';
/** A plain value is told to observers, what stands beside a reference to a Secret to nobody. */
type Plain = 'plain to observers';

export type Leaf = Told | Entries | InWords | Names | Plain | 'hidden';

/** What is told of a value: of a list, of each of its items. What is not named is hidden. */
export type Fields = { readonly [field: string]: Leaf | Fields };

type Scalar = string | number | boolean;
type KeyOf<U> = U extends unknown ? keyof U & string : never;
type At<U, K> = U extends unknown ? (K extends keyof U ? NonNullable<U[K]> : never) : never;

/** The same for values of a type: it names only fields there are, and opens nothing whole that has fields of its own. */
export type FieldsOf<T> = { readonly [K in KeyOf<T>]?: NodeOf<At<T, K>> };
export type NodeOf<T> =
  | 'hidden'
  | ([T] extends [Scalar]
      ? Told | ([T] extends [string] ? InWords | Plain : never)
      : [T] extends [readonly (infer Item)[]]
        ? [Item] extends [Scalar]
          ? Told
          : FieldsOf<Item>
        : string extends keyof T
          ? Entries | Names
          : FieldsOf<T>);
