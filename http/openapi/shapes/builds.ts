import { Optional as optional, Type } from '@sinclair/typebox';
import { states } from '../../../rules/state.ts';
import { anyFields, oneOf, text } from '../kit.ts';

/** A service in every list and read; a redacted copy omits what its reader may not see. */
export const summary = Type.Object(
  {
    kind: text(),
    name: text(),
    displayName: text(),
    project: text(),
    environment: text(),
    state: oneOf(...states),
    message: text(),
    createdAt: text('A time.'),
    url: text(),
    details: anyFields,
  },
  { title: 'Summary' },
);

export const resourceRead = Type.Object(
  { resource: summary, spec: anyFields, status: anyFields },
  { title: 'ResourceRead' },
);

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
};

export const buildSummary = Type.Object(buildFields, { title: 'BuildSummary' });

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
