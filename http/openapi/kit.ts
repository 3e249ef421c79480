import { type Static, type TSchema, Type } from '@sinclair/typebox';

type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Deep<T[K]> }
    : T;

/** The type of a schema for readers of a response, who do not change it. */
export type ReadonlyStatic<S extends TSchema> = Deep<Static<S>>;

/** One of some words. */
export const oneOf = <const W extends string>(...words: readonly W[]) =>
  Type.Unsafe<W>({ type: 'string', enum: words });

/** One of some whole numbers. */
export const oneNumberOf = <const N extends number>(...numbers: readonly N[]) =>
  Type.Unsafe<N>({ type: 'integer', enum: numbers });

/** A map with arbitrary keys. */
export const mapOf = <S extends TSchema>(value: S) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({ type: 'object', additionalProperties: value });

export const anyFields = mapOf(Type.Unknown());

export const text = (description?: string) => Type.String(description === undefined ? {} : { description });

/** A time by RFC 3339; empty where an object was never stored. */
export const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** The name of a Kubernetes object, as a path has it. */
export const objectName = Type.String({ pattern: '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$' });

/** Any short text in a path: an unknown name is not found. */
export const pathText = Type.String({ minLength: 1, maxLength: 4096 });

/** A list that is read whole, or in pages. */
export const pagedOf = <S extends TSchema>(item: S) =>
  Type.Object({
    items: Type.Array(item),
    continue: Type.Optional(text('Leads to the next page; absent at the end of the list.')),
  });

/** How much of a list is asked for. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'At most this many; all when left out.' }),
  ),
  continue: Type.Optional(
    text('`continue` of the page before, within five minutes, with the same parameters; `limit` may differ.'),
  ),
};

/** What a list is searched for. */
export const searchQuery = {
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'A text that the name or the display name contains.' }),
  ),
};

/** The query of a list of resources. */
export const resourceQuery = {
  state: Type.Optional(text('One or more states, separated by commas.')),
  ...searchQuery,
  ...pageQuery,
};

/** Why `continue` leads nowhere. */
export const pageRefusals = { 410: 'The page before is older than five minutes: begin again without `continue`.' };

export const itemsOf = <S extends TSchema>(item: S) => Type.Object({ items: Type.Array(item) });
