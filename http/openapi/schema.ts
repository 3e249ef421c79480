import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, text } from './kit.ts';

/** The content of a response. `kept`: with an ETag, so that callers learn by 304 that their copy is current. */
export type Content<S extends TSchema = TSchema> =
  | { readonly is: 'json'; readonly schema: S; readonly kept: boolean }
  | { readonly is: 'text' }
  | { readonly is: 'bytes' }
  /** Server-sent events: the schema of each event's data by its name. */
  | { readonly is: 'events'; readonly events: Readonly<Record<string, TSchema>> };

/** A successful response. */
export interface SuccessResponse<S extends TSchema = TSchema> {
  readonly when: string;
  readonly content: readonly Content<S>[];
}

/** The parameters in the path of a route. */
export type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The fields that a body may or must have; `whole` is the one message for any invalid field, where one is enough. */
export interface BodySchema {
  readonly schema: TObject;
  /** Whether the request may come without one. */
  readonly optional?: boolean;
  readonly whole?: string;
  /** Its largest size in bytes; 64 KiB by default. */
  readonly maxBytes?: number;
  /** Whether undeclared fields are ignored, as RFC 6749, 3.2 requires, and not refused. */
  readonly ignoresOthers?: boolean;
}

/**
 * The request and the responses of one route: requests are validated by it, specs check responses against it, and the
 * description is made from it.
 */
export interface RouteSchema<Path extends string = string> {
  /** The group that it is listed in. */
  readonly group: string;
  /** One sentence. */
  readonly summary: string;
  readonly path: Readonly<Record<Path, TSchema>>;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly answers: Readonly<Record<number, SuccessResponse>>;
  /** Whether another route has taken its place; it is kept for those who call it. */
  readonly deprecated?: true;
  /** The reasons for refusals, by status, besides those of every route. */
  readonly refusals?: Readonly<Record<number, string>>;
}

type Nothing = Readonly<Record<string, never>>;
type JsonOf<C> = C extends { readonly is: 'json'; readonly schema: infer S extends TSchema }
  ? ReadonlyStatic<S>
  : never;
type ContentOf<A> = A extends SuccessResponse<infer S> ? JsonOf<Content<S>> : never;

/** The JSON that a route answers with. */
export type AnswerOf<S extends Pick<RouteSchema, 'answers'>> = ContentOf<S['answers'][keyof S['answers']]>;

type FieldsOf<S> = S extends TSchema ? Static<S> : Nothing;
type BodyOf<S> = S extends { readonly body: { readonly schema: infer B } } ? FieldsOf<B> : Nothing;
type QueryOf<S> = S extends { readonly query: infer Q } ? FieldsOf<Q> : Nothing;

/** A request to a route, typed by its schema, once it is validated. */
export interface RequestOf<S extends Pick<RouteSchema, 'path'>> {
  readonly path: Readonly<Record<keyof S['path'], string>>;
  readonly query: QueryOf<S>;
  readonly body: BodyOf<S>;
}

const json = <S extends TSchema>(schema: S, kept: boolean): Content<S> => ({ is: 'json', schema, kept });

/** A read with an ETag. */
export const read = <S extends TSchema>(schema: S, when: string): Readonly<Record<200, SuccessResponse<S>>> => ({
  200: { when, content: [json(schema, true)] },
});

/** A response that must not be stored. */
export const uncached = <S extends TSchema>(schema: S, when: string): SuccessResponse<S> => ({
  when,
  content: [json(schema, false)],
});

/** The body of every refusal. */
export const errorBody = Type.Object({ error: text('A readable description of the error.') }, { title: 'Error' });
