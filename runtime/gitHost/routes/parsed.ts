import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Refusal } from '../answer.ts';

/** The validated body of a request; refused when it does not match its schema. */
export function parsed<T extends TSchema>(schema: T, body: unknown): Static<T> {
  if (Value.Check(schema, body)) return body;
  const error = Value.Errors(schema, body).First();
  throw new Refusal(422, `Invalid request. ${error?.path ?? ''}: ${error?.message ?? ''}`);
}
