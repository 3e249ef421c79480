import { Optional as optional, type Static, Type } from '@sinclair/typebox';
import { type Frozen, params, shape } from './kind.ts';

/** What a cause explains: the Ready condition, or a part of the object that Ready does not cover. */
export const causesOf = ['Ready', 'Environments', 'Variables', 'Backups', 'BackupStorage', 'Deletion'] as const;

/** Who has to act: a person, another object, nobody; a note explains what is as somebody wants it. */
export const severities = ['failure', 'waiting', 'progress', 'note'] as const;

export const causesKept = 8;
export const causeLength = 300;

const object = {
  kind: shape.text('Kind of the object.'),
  name: shape.text('Name of the object.'),
  namespace: shape.text('Namespace of the object; empty for one of the whole cluster.'),
};

/** `status.causes`: why the object is red or waits (decision 160). */
export const causes = Type.Array(
  Type.Object({
    of: shape.choice('What it explains.', causesOf),
    reason: shape.text('The cause in one word, for programs.'),
    severity: shape.choice('Who has to act.', severities),
    message: shape.text('The cause in a sentence, for people.', { maxLength: causeLength }),
    params: optional(params),
    on: Type.Object(object, { description: 'The object at fault.' }),
    root: optional(
      Type.Object(
        { ...object, reason: shape.text('Its reason there.') },
        { description: 'Where the cause comes from, when the object only waits for another one.' },
      ),
    ),
    since: shape.time('When it began.'),
    count: optional(shape.count('How often it occurred.', { format: 'int32', minimum: 0 })),
    lastAt: optional(shape.time('When it last occurred, or when its words last changed.')),
    exitCode: optional(shape.count('Exit code of the container that ended last.', { format: 'int32' })),
    logLine: optional(
      shape.text('The line of the log that tells most about it, without the values of Secrets.', {
        maxLength: causeLength,
      }),
    ),
    gaveUp: optional(shape.flag('Whether nothing is tried any more because of it.')),
    resolved: optional(shape.flag('Whether it is over, and only a retry is missing.')),
  }),
  { description: `Why it is red or waits: at most ${causesKept} causes, the worst first.`, maxItems: causesKept },
);
export type StoredCause = Frozen<Static<typeof causes>[number]>;
