import type { Static, TSchema } from '@sinclair/typebox';
import { Default } from '@sinclair/typebox/value';

/**
 * Applies the defaults of a schema like a cluster, because machines compare the value with what is stored later. The
 * value must already be valid.
 */
export const withDefaults = <S extends TSchema>(schema: S, value: object): Static<S> =>
  Default(schema, structuredClone(value));
