import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { RouteId } from '../../rules/access/routes.ts';

/** What an answer carries. `kept`: with an ETag, so that 304 tells a caller that they have it already. */
export type Content =
  | { readonly is: 'json'; readonly schema: TSchema; readonly kept: boolean }
  | { readonly is: 'text' }
  /** Server-sent events: the data of each by its name. */
  | { readonly is: 'events'; readonly events: Readonly<Record<string, TSchema>> };

/** An answer that is no refusal. */
export interface Given {
  readonly when: string;
  readonly content: readonly Content[];
}

type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** Fields that a body may or must have; `whole` says what is wrong with any of them, where one sentence says it all. */
export interface BodySchema {
  readonly schema: TObject;
  /** Whether the request may come without one. */
  readonly optional?: boolean;
  readonly whole?: string;
  /** Whether fields that it does not have are ignored, as RFC 6749, 3.2 has it, and not refused. */
  readonly ignoresOthers?: boolean;
}

/** What one route takes and gives: requests are checked by it, answers are in the specs, and both are described by it. */
export interface RouteSchema<Path extends string = string> {
  readonly group: 'Access' | 'Builds' | 'Databases' | 'Machines' | 'Platform' | 'Services' | 'Tokens';
  /** One sentence. */
  readonly summary: string;
  readonly path: Readonly<Record<Path, TSchema>>;
  readonly query?: TObject;
  readonly body?: BodySchema;
  readonly answers: Readonly<Record<number, Given>>;
  /** Why it may be refused, by status, beside what holds for every route. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** A schema for some routes, with the very parameters that stand in their paths. */
export type Schemas<R extends RouteId> = { readonly [K in R]: RouteSchema<PathNames<K>> };

type Nothing = Readonly<Record<string, never>>;
type FieldsOf<S> = S extends TSchema ? Static<S> : Nothing;
type BodyOf<S> = S extends { readonly body: { readonly schema: infer B } } ? FieldsOf<B> : Nothing;
type QueryOf<S> = S extends { readonly query: infer Q } ? FieldsOf<Q> : Nothing;

/** What was asked of a route, once it has been checked. */
export interface AskedOf<R extends RouteId, S> {
  readonly path: Readonly<Record<PathNames<R>, string>>;
  readonly query: QueryOf<S>;
  readonly body: BodyOf<S>;
}

const json = (schema: TSchema, kept: boolean): Content => ({ is: 'json', schema, kept });

/** A read with an ETag. */
export const read = (schema: TSchema, when: string): Readonly<Record<200, Given>> => ({
  200: { when, content: [json(schema, true)] },
});

/** An answer that nobody keeps. */
export const said = (schema: TSchema, when: string): Given => ({ when, content: [json(schema, false)] });
