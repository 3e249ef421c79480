import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, mapOf, oneOf, orNull, text, time } from '../../openapi/kit.ts';
import { appliesAtOnce } from '../apps/shapes.ts';

export const callRequest = Type.Object(
  {
    method: optional(oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
    path: optional(text('With the query; `/` when left out.')),
    headers: optional(mapOf(Type.String())),
    body: optional(text()),
  },
  { title: 'CallAsked' },
);

export const functionAnswer = Type.Object(
  {
    status: Type.Integer({ description: 'The status that the function answered, be it 500.' }),
    headers: mapOf(Type.String()),
    body: text(),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { title: 'FunctionAnswer' },
);
/** POST /api/v1/apps/{app}/call: what a function answered. */
export type FunctionAnswer = ReadonlyStatic<typeof functionAnswer>;

export const triggerRequest = Type.Object({
  name: text('Lowercase letters, digits and hyphens.'),
  cron: text('Five fields, in UTC.'),
});

export const trigger = Type.Object(
  {
    name: text(),
    cron: text('When the function is called, in UTC.'),
    lastAt: orNull(time('When it was last called.')),
    nextAt: orNull(time('When it is called next; null while it waits for a deploy.')),
  },
  { title: 'Trigger' },
);
/** A schedule of a function. */
export type Trigger = ReadonlyStatic<typeof trigger>;

export const triggerRemoved = Type.Object(
  { name: text('The service.'), trigger: text(), removed: Type.Boolean(), pending: Type.Boolean(), appliesAtOnce },
  { title: 'TriggerRemoved' },
);
export type TriggerRemoved = ReadonlyStatic<typeof triggerRemoved>;
