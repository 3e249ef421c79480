import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { RouteId } from '../../rules/access/routes.ts';

/** The content of a response. `kept`: with an ETag, so that callers learn by 304 that their copy is current. */
export type Content =
  | { readonly is: 'json'; readonly schema: TSchema; readonly kept: boolean }
  | { readonly is: 'text' }
  | { readonly is: 'bytes' }
  /** Server-sent events: the schema of each event's data by its name. */
  | { readonly is: 'events'; readonly events: Readonly<Record<string, TSchema>> };

/** A successful response. */
export interface SuccessResponse {
  readonly when: string;
  readonly content: readonly Content[];
}

type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** The fields that a body may or must have; `whole` is the one message for any invalid field, where one is enough. */
export interface BodySchema {
  readonly schema: TObject;
  /** Whether the request may come without one. */
  readonly optional?: boolean;
  readonly whole?: string;
  /** Its largest size in bytes; 64 KiB by default. */
  readonly atMost?: number;
  /** Whether undeclared fields are ignored, as RFC 6749, 3.2 requires, and not refused. */
  readonly ignoresOthers?: boolean;
}

/**
 * The request and the responses of one route: requests are validated by it, specs check responses against it, and the
 * description is made from it.
 */
export interface RouteSchema<Path extends string = string> {
  readonly group:
    'Access' | 'Builds' | 'Consoles' | 'Databases' | 'Machines' | 'Platform' | 'Projects' | 'Services' | 'Tokens';
  /** One sentence. */
  readonly summary: string;
  readonly path: Readonly<Record<Path, TSchema>>;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly answers: Readonly<Record<number, SuccessResponse>>;
  /** The reasons for refusals, by status, besides those of every route. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Schemas for some routes, with exactly the parameters in their paths. */
export type Schemas<R extends RouteId> = { readonly [K in R]: RouteSchema<PathNames<K>> };

/** The schemas of one file: of routes that exist. That every route has one is checked where the files come together. */
export type SomeSchemas = Partial<Schemas<RouteId>>;

type Nothing = Readonly<Record<string, never>>;
type FieldsOf<S> = S extends TSchema ? Static<S> : Nothing;
type BodyOf<S> = S extends { readonly body: { readonly schema: infer B } } ? FieldsOf<B> : Nothing;
type QueryOf<S> = S extends { readonly query: infer Q } ? FieldsOf<Q> : Nothing;

/** A request to a route, once it is validated. */
export interface AskedOf<R extends RouteId, S> {
  readonly path: Readonly<Record<PathNames<R>, string>>;
  readonly query: QueryOf<S>;
  readonly body: BodyOf<S>;
}

const json = (schema: TSchema, kept: boolean): Content => ({ is: 'json', schema, kept });

/** A read with an ETag. */
export const read = (schema: TSchema, when: string): Readonly<Record<200, SuccessResponse>> => ({
  200: { when, content: [json(schema, true)] },
});

/** A response that must not be stored. */
export const said = (schema: TSchema, when: string): SuccessResponse => ({ when, content: [json(schema, false)] });
