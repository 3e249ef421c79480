import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, anyFields, text } from '../../openapi/kit.ts';
import { worstCause } from '../cause.ts';

const buildFields = {
  name: text(),
  app: text(),
  project: text(),
  environment: text(),
  state: text('The state of the machine.'),
  shown: text('The displayed word for the state.'),
  current: Type.Boolean({ description: 'Whether it is the current build of its service.' }),
  createdAt: text('A time.'),
  startedAt: optional(text('A time.')),
  completedAt: optional(text('A time.')),
  commit: optional(text()),
  imageDigest: optional(text()),
  failureReason: optional(text()),
  cause: worstCause,
};

export const buildSummary = Type.Object(buildFields, { title: 'BuildSummary' });
/** GET /api/v1/builds?app=&state=&limit=, newest first; `state` as for instances, `limit` 1 to 1000, else 100. */
export type BuildSummary = ReadonlyStatic<typeof buildSummary>;

/** Fields that a redacted copy omits are empty. */
export const buildRead = Type.Object(
  {
    ...buildFields,
    repository: text(),
    branch: text(),
    uid: text(),
    image: text(),
    jobRef: text(),
    logRef: text(),
    ciState: text(),
    ciChecks: Type.Array(text()),
    retryCount: Type.Integer({ minimum: 0 }),
    cancelRequested: Type.Boolean(),
    lastLogLine: text(),
    paused: Type.Boolean(),
    spec: anyFields,
    status: anyFields,
  },
  { title: 'BuildRead' },
);
/** GET /api/v1/builds/{name} */
export type BuildRead = ReadonlyStatic<typeof buildRead>;

export const logLines = {
  line: Type.Object({ line: text() }, { title: 'LogLine' }),
  end: Type.Object({ reason: text() }, { title: 'LogEnd' }),
};

/**
 * GET /api/v1/builds/{name}/log: text/plain; `?container=git|builder`, `?tail=<lines>`, `?follow=true` streams lines as
 * server-sent events `line` ({line}) and one `end` ({reason}). 404 with `The log is gone since <time>` after its hour,
 * or with the reason why there is no log yet.
 */
export type LogEnd = ReadonlyStatic<(typeof logLines)['end']>;
