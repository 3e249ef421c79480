import type { StoredCause } from '../../crds/cause.ts';
import type { View } from '../access/needs.ts';

/** A view that does not read everything. */
export type Redacted = Exclude<View, 'whole'>;

/** The least view that reads a value, or each of a list of values, unchanged. */
type Unchanged = 'viewer' | 'observer';
/** The same for a record of values, with its names. */
type Entries = 'entries to viewers' | 'entries to observers';
/** A sentence is shown without its hidden parameters; an entirely hidden one is replaced by the text of the tables. */
type InWords = 'move in words' | 'message in words' | 'failure in words';
/** Observers read its names; no caller reads its values under /api/v1 (document 002, Authentication; SEC-019). */
type Names = 'names to observers';
/** Observers read a plain value; no caller reads fields beside a reference to a Secret. */
type Plain = 'plain to observers';

/** Causes, each with the names and words that a view may read; of a service, what it is connected to is for observers. */
type Causes = 'causes in words' | 'causes of a service in words';

export type Leaf = Unchanged | Entries | InWords | Names | Plain | Causes | 'hidden';

/** The visible fields of a value, or of each item of a list. Undeclared fields are hidden. */
export type Fields = { readonly [field: string]: Leaf | Fields };

type Scalar = string | number | boolean;
type KeyOf<U> = U extends unknown ? keyof U & string : never;
type At<U, K> = U extends unknown ? (K extends keyof U ? NonNullable<U[K]> : never) : never;

/**
 * The same for values of a type: it names only existing fields, and no value with fields of its own is visible as a
 * whole.
 */
export type FieldsOf<T> = { readonly [K in KeyOf<T>]?: NodeOf<At<T, K>> };
export type NodeOf<T> =
  | 'hidden'
  | ([T] extends [Scalar]
      ? Unchanged | ([T] extends [string] ? InWords | Plain : never)
      : [T] extends [readonly (infer Item)[]]
        ? [Item] extends [StoredCause]
          ? Causes
          : [Item] extends [Scalar]
            ? Unchanged
            : FieldsOf<Item>
        : string extends keyof T
          ? Entries | Names
          : FieldsOf<T>);
