import { Optional as optional, type Static, Type } from '@sinclair/typebox';
import { type Frozen, shape } from './kind.ts';

/** `status.reconcileRetry`: the consecutive counted failures that end in `ProvisionFailed`. */
export const reconcileRetry = Type.Object(
  {
    reconcileFailures: optional(shape.count('Counted failures in a row.', { format: 'int32', minimum: 0 })),
    reconcileFailureStarted: optional(shape.time('When the row of failures began.', { nullable: true })),
    reconcileFailureGeneration: optional(
      shape.count('`metadata.generation` the row of failures belongs to.', { format: 'int64' }),
    ),
    gaveUp: optional(shape.flag('Whether nothing is tried any more; absent while something is.')),
    lastFailureAt: optional(shape.time('When a failure was last counted.', { nullable: true })),
    lastFailureKind: optional(shape.text('The kind of the failure counted last, in one word.')),
  },
  { description: 'Failures counted since the last success; five of them, or three minutes, end in ProvisionFailed.' },
);
export type ReconcileRetry = Frozen<Static<typeof reconcileRetry>>;

const attemptError = Type.Object({
  recordedAt: shape.time('When the error was met.'),
  message: shape.text('The error.'),
});

const afterwards = Type.Object(
  {
    reason: shape.text('The cause in one word, for programs.'),
    message: shape.text('What happened, in a sentence.'),
    at: shape.time('When it last happened.'),
    count: shape.count('How often it happened.', { format: 'int32', minimum: 0 }),
  },
  { description: 'What happened to its copies after it succeeded.' },
);
export type Afterwards = Frozen<Static<typeof afterwards>>;

const attempt = Type.Object({
  id: shape.text('Names the attempt.'),
  startedAt: optional(shape.time('When the attempt began.')),
  completedAt: optional(shape.time('When the attempt ended.', { nullable: true })),
  phase: optional(shape.choice('Where the attempt stands.', ['Running', 'Succeeded', 'Failed'])),
  summary: optional(shape.text('The attempt in a sentence.')),
  errors: optional(Type.Array(attemptError, { description: 'Errors met, at most 12.', maxItems: 12 })),
  afterwards: optional(afterwards),
});

/** `status.provision`: the newest attempts to provision the resource. */
export const provision = Type.Object(
  {
    activeProvisionAttempt: optional(shape.text('`id` of the attempt under way.')),
    provisionAttempts: optional(Type.Array(attempt, { description: 'The newest 8 attempts.', maxItems: 8 })),
    buildRef: optional(shape.text('The CoreBuild of the attempt; services only.')),
    deploymentRef: optional(shape.text('The CoreDeployment of the attempt; services only.')),
  },
  { description: 'The newest attempts to bring the resource about, with their errors.' },
);
export type Provision = Frozen<Static<typeof provision>>;
