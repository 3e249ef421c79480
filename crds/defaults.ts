import type { Static, TSchema } from '@sinclair/typebox';
import { Default } from '@sinclair/typebox/value';

/**
 * A value with the defaults of its schema, as a cluster would store it: what a machine compares with what is stored
 * later must have them from the start. The value was checked against the schema before.
 */
export const withDefaults = <S extends TSchema>(schema: S, value: object): Static<S> =>
  Default(schema, structuredClone(value));
