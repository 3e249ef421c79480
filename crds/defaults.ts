import type { Static, TSchema } from '@sinclair/typebox';
import { Default } from '@sinclair/typebox/value';

/**
 * A value with the defaults of its schema, as a cluster would store it, because machines compare it with what is stored
 * later. The value has already been validated against the schema.
 */
export const withDefaults = <S extends TSchema>(schema: S, value: object): Static<S> =>
  Default(schema, structuredClone(value));
