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

export const itemsOf = <S extends TSchema>(item: S) => Type.Object({ items: Type.Array(item) });
