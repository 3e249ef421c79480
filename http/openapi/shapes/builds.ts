import { Optional as optional, Type } from '@sinclair/typebox';
import type { BuildRead, BuildSummary, Read, Summary } from '../../api.ts';
import { anyFields, oneOf, schemaOf, text } from '../kit.ts';

/** A service in every list and read; a redacted copy leaves out what its reader may not see. */
export const summary = schemaOf<Summary>()(
  Type.Object(
    {
      kind: text(),
      name: text(),
      displayName: text(),
      project: text(),
      environment: text(),
      state: oneOf('ready', 'pending', 'failed', 'draft', 'deleting'),
      message: text(),
      createdAt: text('A time.'),
      url: text(),
      details: anyFields,
    },
    { title: 'Summary' },
  ),
);

export const resourceRead = schemaOf<Read>()(
  Type.Object({ resource: summary, spec: anyFields, status: anyFields }, { title: 'ResourceRead' }),
);

const buildFields = {
  name: text(),
  app: text(),
  project: text(),
  environment: text(),
  state: text('The word of the machine.'),
  shown: text('The word a person reads.'),
  current: Type.Boolean({ description: 'Whether the service uses it.' }),
  createdAt: text('A time.'),
  startedAt: optional(text('A time.')),
  completedAt: optional(text('A time.')),
  commit: optional(text()),
  imageDigest: optional(text()),
  failureReason: optional(text()),
};

export const buildSummary = schemaOf<BuildSummary>()(Type.Object(buildFields, { title: 'BuildSummary' }));

/** What a redacted copy may leave out is optional. */
export const buildRead = schemaOf<BuildRead>()(
  Type.Object(
    {
      ...buildFields,
      repository: optional(text()),
      branch: optional(text()),
      uid: text(),
      image: optional(text()),
      jobRef: optional(text()),
      logRef: optional(text()),
      ciState: optional(text()),
      ciChecks: optional(Type.Array(text())),
      retryCount: Type.Integer({ minimum: 0 }),
      cancelRequested: Type.Boolean(),
      lastLogLine: optional(text()),
      paused: Type.Boolean(),
      spec: anyFields,
      status: anyFields,
    },
    { title: 'BuildRead' },
  ),
);
