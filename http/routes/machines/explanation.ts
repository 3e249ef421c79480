import { Optional as optional, Type } from '@sinclair/typebox';
import { mapOf, oneOf, orNull, type ReadonlyStatic, text } from '../../openapi/kit.ts';
import { cause, link } from '../cause.ts';
import { count, nextCheck, restsUntil } from './shapes.ts';

const decision = Type.Union([
  Type.Object({
    is: Type.Literal('moves'),
    event: text(),
    rule: text(),
    to: text(),
    row: optional(text()),
  }),
  Type.Object({ is: Type.Literal('asks'), fact: text() }),
  Type.Object({ is: Type.Literal('unknown'), fact: text(), why: text() }),
  Type.Object({ is: Type.Literal('rests') }),
]);

/** Information besides the decision, such as what else moves or ends an instance. */
const note = Type.Object(
  { name: text(), text: text(), until: orNull(text('The time that it counts down to, if there is one.')) },
  { title: 'Note' },
);

export type Note = ReadonlyStatic<typeof note>;

export const explanation = Type.Object(
  {
    name: text(),
    machine: text(),
    state: text(),
    shown: text(),
    since: text('A time.'),
    now: text('A time.'),
    paused: Type.Boolean(),
    text: text('The explanation in one sentence.'),
    decision,
    restsUntil,
    tried: Type.Array(
      Type.Object({
        rule: text(),
        row: optional(text()),
        event: text(),
        held: oneOf('yes', 'no', 'not reached'),
        says: text(),
      }),
    ),
    facts: mapOf(
      Type.Object({
        is: oneOf('unasked', 'unknown', 'known'),
        value: optional(Type.Unknown()),
        why: optional(text()),
      }),
    ),
    observedAt: optional(orNull(text('A time.'))),
    ...nextCheck,
    notes: Type.Array(note),
    next: Type.Array(Type.Object({ row: text(), event: text(), to: text(), when: text(), command: Type.Boolean() })),
    failure: optional(orNull(Type.Object({ text: text(), count }))),
  },
  { title: 'Explanation' },
);

export const explanations = Type.Object(
  {
    causes: Type.Array(cause, { description: 'Why it is red or waits, the worst first.' }),
    chain: Type.Array(link, {
      description:
        'From the object to the root of its worst cause, at most 8: the object, what it waits for, and so on.',
    }),
    items: Type.Array(explanation),
  },
  { title: 'Explanations' },
);
/** GET …/{name}/explain: the causes of an object, and the decision of each of its machines. */
export type Explanations = ReadonlyStatic<typeof explanations>;

/**
 * GET …/{name}/explain, /api/v1/machines/{machine}/instances/{instance}/explain: why the instance is in
 * its state, and what happens next. `observedAt`, `nextCheckAt` and `failure` are null from a standby: it decides from its
 * caches, and only the leader knows more.
 */
export type Explanation = ReadonlyStatic<typeof explanation>;

/** The result of one rule for the facts. `not reached`: an earlier rule held or a fact is missing. */
export type Tried = Explanation['tried'][number];
