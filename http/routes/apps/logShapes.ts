import { Optional as optional, Type } from '@sinclair/typebox';
import { logLevels } from '../../../rules/serviceLog/levels.ts';
import { type ReadonlyStatic, oneOf, text, time } from '../../openapi/kit.ts';

/** Which lines of the log of a service are read. */
export const logQuery = Type.Object({
  tail: optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Only this many of the newest lines; 200 when left out.' }),
  ),
  since: optional(text('Only lines of so long ago, such as `48h` or `1h30m`, at most 168h.')),
  q: optional(Type.String({ maxLength: 200, description: 'Only lines that contain this, whatever its case.' })),
  level: optional(oneOf(...logLevels)),
});

/** A line of a container of a service. */
const serviceLogLine = Type.Object(
  {
    t: time('When it was written.'),
    service: text(),
    pod: text(),
    container: text(),
    line: text(),
    level: oneOf(...logLevels),
  },
  { title: 'LogLine' },
);
/** A line of `ServiceLog`, and an event of `GET /api/v1/apps/{app}/logs/stream`. */
export type ServiceLogLine = ReadonlyStatic<typeof serviceLogLine>;

export const serviceLog = Type.Object({
  items: Type.Array(serviceLogLine),
  missing: Type.Array(Type.Object({ pod: text(), why: text() }), {
    description: 'Copies that could not be read.',
  }),
});
/** GET /api/v1/apps/{app}/logs, oldest first. */
export type ServiceLog = ReadonlyStatic<typeof serviceLog>;

/** `message` is what an event without a name is called. */
export const logEvents = {
  message: serviceLogLine,
  end: Type.Object({ reason: text() }),
} as const;
