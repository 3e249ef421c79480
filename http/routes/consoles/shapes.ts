import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, oneOf, orNull, text } from '../../openapi/kit.ts';

/** What is missing is refused in the words of the document, and so it is no fault of the schema. */
export const consoleRequest = Type.Object({
  pod: optional(text('A running pod of the service.')),
  container: optional(text('A running container of the pod.')),
  command: optional(
    Type.Union([Type.Array(Type.String()), Type.String()], {
      description:
        'One to eight words, run as they are; `sh` alone is a login `bash` where there is one. In a form one word.',
    }),
  ),
  timeoutSeconds: optional(
    Type.Integer({
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'The time limit: 1 to 900; whatever else is 300.',
    }),
  ),
});

export const consoleCreated = Type.Object(
  {
    session: text('What a terminal is attached to.'),
    phase: oneOf('Pending', 'Active', 'Expired', 'Closed'),
  },
  { title: 'ConsoleCreated' },
);
/** POST /api/v1/apps/{app}/console/create: a session, to whose name a terminal is attached. */
export type ConsoleCreated = ReadonlyStatic<typeof consoleCreated>;

export const consoleSessionItem = Type.Object(
  {
    session: text(),
    actor: text('Who opened it.'),
    pod: text(),
    container: text(),
    phase: oneOf('Pending', 'Active', 'Expired', 'Closed'),
    attached: Type.Boolean({ description: 'Whether its terminal is open.' }),
    createdAt: orNull(text('A time.')),
    startedAt: orNull(text('A time.')),
    endedAt: orNull(text('A time.')),
    timeoutSeconds: Type.Integer({ description: 'Its time limit, from `startedAt` on.' }),
    reason: text('Why it ended.'),
  },
  { title: 'ConsoleSession' },
);
/** GET /api/v1/apps/{app}/console/sessions, newest first. */
export type ConsoleSessionItem = ReadonlyStatic<typeof consoleSessionItem>;
