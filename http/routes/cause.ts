import { Type } from '@sinclair/typebox';
import { causesOf, severities } from '../../crds/cause.ts';
import { oneOf, orNull, type ReadonlyStatic, text } from '../openapi/kit.ts';

const named = { kind: text(), name: text(), namespace: text('Empty for an object of the whole cluster.') };
const reason = text('The cause in one word, for programs.');

export const cause = Type.Object(
  {
    of: oneOf(...causesOf),
    reason,
    severity: Type.Unsafe<(typeof severities)[number]>({
      type: 'string',
      enum: severities,
      description: 'Who has to act: a person, another object, nobody; a note explains what somebody wants so.',
    }),
    message: text(),
    hint: text('What to do; empty when nothing but waiting helps.'),
    on: Type.Object(named, { description: 'The object at fault.' }),
    root: orNull(Type.Object({ ...named, reason }, { description: 'Where it comes from, if from another object.' })),
    since: text('A time.'),
    count: orNull(Type.Integer({ minimum: 0, description: 'How often it occurred.' })),
    lastAt: text('When it last occurred, or when its words last changed; may be empty.'),
    exitCode: orNull(Type.Integer({ description: 'Of the container that ended last.' })),
    logLine: text('The line of the log that tells most, for those who may read logs.'),
    gaveUp: Type.Boolean({ description: 'Whether nothing is tried any more because of it.' }),
    resolved: Type.Boolean({ description: 'Whether it is over, and only a retry is missing.' }),
  },
  { title: 'Cause' },
);
/** Why an object is red or waits; names that the caller may not read are `…`. */
export type Cause = ReadonlyStatic<typeof cause>;

export const worstCause = orNull(cause);

export const link = Type.Object({ ...named, cause: worstCause }, { title: 'CauseLink' });
/** An object on the way from one that waits to the root of its cause. */
export type CauseLink = ReadonlyStatic<typeof link>;
