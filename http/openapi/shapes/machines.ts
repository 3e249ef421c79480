import { Optional as optional, Type } from '@sinclair/typebox';
import { mapOf, oneOf, orNull, text } from '../kit.ts';

const count = Type.Integer({ minimum: 0 });
const texts = Type.Array(text());
const nextLook = optional(orNull(text('When it is looked at again by itself; null where only the leader knows.')));

const restsUntil = orNull(
  text('What leads on from a state in which nothing more happens by itself; null in one that goes on.'),
);

/** One row of the table of a machine. */
export const row = Type.Object(
  {
    id: text(),
    from: texts,
    event: text(),
    when: text(),
    to: text(),
    does: texts,
    ensures: texts,
    look: text(),
    source: text(),
    status: text(),
    line: count,
  },
  { title: 'Row' },
);

export const machine = Type.Object(
  {
    name: text(),
    /** The kinds whose objects have the machine. */
    kinds: texts,
    initial: text(),
    states: Type.Array(
      Type.Object({ name: text(), shown: text(), resting: Type.Boolean(), restsUntil, ensures: texts }),
    ),
    events: texts,
    rows: Type.Array(row),
    asked: Type.Array(Type.Object({ command: text(), by: text() })),
    /**
     * Live instances of all kinds per state; a stored state that the machine does not know is counted under its own text,
     * and what is before its life or at the end of it under `(none)` and `(deleted)`. Null where only the leader knows.
     */
    counts: orNull(mapOf(count)),
    /** Instances that are being retried. */
    retrying: count,
  },
  { title: 'Machine' },
);

const id = text(
  'The plural of the kind, a colon and the name; of an item of the object another colon and the item. Unique among the ' +
    'instances of a machine. A token is `secrets:core-api-tokens:` and its ID, the sessions of a user and a locked name ' +
    'are named by the username; what the leader has in memory is an item of its Lease, with a name that tells nothing.',
);

/** One instance of a machine in a list. `state` is the machine's word, `shown` the displayed one. */
const instanceFields = {
  id,
  kind: text(),
  name: text(),
  uid: text(),
  project: text(),
  environment: text(),
  machine: text(),
  state: text(),
  shown: text(),
  since: text('A time.'),
  reason: text(),
  retrying: Type.Boolean(),
  paused: Type.Boolean(),
  /**
   * Further values of its kind, by the name of the column; one that is empty, or hidden from the reader, is left out.
   */
  columns: mapOf(text()),
  nextLook,
  /** Consecutive failed passes, while the pass itself fails; null from a standby. */
  failures: orNull(count),
};

export const instance = Type.Object(instanceFields, { title: 'Instance' });

/** One instance, and the states of its object's other machines, which have instances of the same id. */
export const instanceRead = Type.Object(
  {
    ...instanceFields,
    /** When its object was deleted; its end and its moves are kept for a while. */
    deletedAt: optional(text('A time.')),
    others: Type.Array(Type.Object({ machine: text(), state: text(), shown: text(), since: text('A time.') })),
  },
  { title: 'InstanceRead' },
);

/** One move of status.history. */
const moveFields = {
  seq: count,
  machine: text(),
  from: text(),
  event: text(),
  to: text(),
  rule: optional(text()),
  by: text(),
  at: text('A time.'),
  text: text(),
};

export const move = Type.Object(moveFields, { title: 'Move' });

export const transitions = Type.Object(
  {
    name: text(),
    items: Type.Array(Type.Object({ ...moveFields, row: optional(text()), outside: Type.Boolean() })),
    note: optional(text('Why there are none, where none are ever kept.')),
  },
  { title: 'Transitions' },
);

export const trace = Type.Object(
  { id, kind: text(), name: text(), uid: text(), state: text(), nextLook, items: Type.Array(move) },
  { title: 'Trace' },
);

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

/** What is to be known besides the decision, such as what else moves an instance or ends it. */
export const note = Type.Object(
  { name: text(), text: text(), until: orNull(text('The time it leads up to; null where it tells of none.')) },
  { title: 'Note' },
);

export const explanation = Type.Object(
  {
    name: text(),
    machine: text(),
    state: text(),
    shown: text(),
    since: text('A time.'),
    now: text('A time.'),
    paused: Type.Boolean(),
    text: text('The whole in words.'),
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
    nextLook,
    notes: Type.Array(note),
    next: Type.Array(Type.Object({ row: text(), event: text(), to: text(), when: text(), command: Type.Boolean() })),
    failure: optional(orNull(Type.Object({ text: text(), count }))),
  },
  { title: 'Explanation' },
);

/** The data of server-sent events, by the name of the event. */
export const streamed = {
  hello: Type.Object({ now: text('A time.'), resumed: Type.Boolean() }, { title: 'Hello' }),
  move: Type.Object({ ...moveFields, id, name: text(), uid: text(), kind: text(), instance }, { title: 'MoveTold' }),
  instance,
  deleted: Type.Object({ id, name: text(), uid: text(), kind: text(), machine: text() }, { title: 'Deleted' }),
  change: Type.Object(
    {
      kind: text(),
      name: text(),
      project: text('Empty where it belongs to none.'),
      environment: text('Empty where it belongs to none.'),
      version: text('The version that was written; of the last one where it is deleted.'),
      deleted: Type.Boolean(),
    },
    { title: 'ChangeNotice' },
  ),
  reset: Type.Object({ reason: text() }, { title: 'Reset' }),
  tick: Type.Object({ now: text('A time.') }, { title: 'Tick' }),
};

export const logLines = {
  line: Type.Object({ line: text() }, { title: 'LogLine' }),
  end: Type.Object({ reason: text() }, { title: 'LogEnd' }),
};
