import type { Items } from '../../openapi/paging.ts';
import { Optional as optional, Type } from '@sinclair/typebox';
import { mapOf, orNull, type ReadonlyStatic, text } from '../../openapi/kit.ts';

export const count = Type.Integer({ minimum: 0 });
const texts = Type.Array(text());
/** The next check, under its name and under an earlier one, and its interval. */
export const nextCheck = {
  nextCheckAt: optional(orNull(text('When the next pass is due without a change; null if only the leader knows it.'))),
  nextLook: optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Deprecated: the same as `nextCheckAt`.',
      deprecated: true,
    }),
  ),
  checkEveryMs: optional(
    Type.Integer({
      minimum: 1,
      description:
        'The interval of checks, where it is fixed: later ones follow `nextCheckAt` at this distance. A check that changes nothing is not reported.',
    }),
  ),
};

export const restsUntil = orNull(
  text('What leads out of a resting state, in which nothing happens automatically; null for any other state.'),
);

/** One row of the table of a machine. */
const row = Type.Object(
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
export type Row = ReadonlyStatic<typeof row>;

export const machine = Type.Object(
  {
    name: text(),
    /** The kinds whose objects have the machine. */
    kinds: texts,
    initial: text(),
    states: Type.Array(
      Type.Object({
        name: text(),
        shown: text(),
        resting: Type.Boolean(),
        final: Type.Boolean({ description: 'Whether nothing leads out but the deletion of its object.' }),
        restsUntil,
        ensures: texts,
      }),
    ),
    events: texts,
    rows: Type.Array(row),
    asked: Type.Array(Type.Object({ command: text(), by: text() })),
    /**
     * Existing instances of all kinds per state; a stored state that the machine does not know is counted under its own
     * text, and an instance before or after its lifecycle under `(none)` or `(deleted)`. Null if only the leader
     * knows, or the caller's role hides them.
     */
    counts: orNull(mapOf(count)),
    /** Instances that are being retried. */
    retrying: count,
  },
  { title: 'Machine' },
);
/** GET /api/v1/machines, /api/v1/machines/{machine} */
export type Machine = ReadonlyStatic<typeof machine>;

export const id = text(
  'The plural of the kind, a colon and the name; for an item of the object, another colon and the item. Unique among ' +
    'the instances of a machine. A token is `secrets:core-api-tokens:` and its ID; the item of a locked name and of the ' +
    'sessions of a user is the username; what the leader has in memory is an item of its Lease with an opaque name.',
);

/** The object of an instance, and its project and environment. */
const instanceOf = {
  id,
  kind: text(),
  name: text(),
  uid: text(),
  project: text(),
  environment: text(),
};

/** One instance of a machine in a list. `state` is the machine's word, `shown` the displayed one. */
const instanceFields = {
  ...instanceOf,
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
  ...nextCheck,
  /** Consecutive failed passes, while the pass itself fails; null from a standby. */
  failures: orNull(count),
};

export const instance = Type.Object(instanceFields, { title: 'Instance' });
/** One instance of a machine in a list: FailedBeforeJob is shown as Failed. */
export type Instance = ReadonlyStatic<typeof instance>;

/** One instance, and the states of its object's other machines, which have instances of the same id. */
export const instanceRead = Type.Object(
  {
    ...instanceFields,
    /** When its object was deleted; its last state and its transitions are kept for 30 days. */
    deletedAt: optional(text('A time.')),
    others: Type.Array(Type.Object({ machine: text(), state: text(), shown: text(), since: text('A time.') })),
  },
  { title: 'InstanceRead' },
);
/** GET /api/v1/machines/{machine}/instances/{instance}, by the id that the list gives. */
export type InstanceRead = ReadonlyStatic<typeof instanceRead>;

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

const move = Type.Object(moveFields, { title: 'Move' });
/** One move of status.history. */
export type Move = ReadonlyStatic<typeof move>;

/** A move with its row of the table. */
export const listedFields = { ...moveFields, row: optional(text()), outside: Type.Boolean() };

const transitions = Type.Object(
  {
    name: text(),
    items: Type.Array(Type.Object(listedFields)),
    note: optional(text('Why there are none, if transitions of the machine are not recorded.')),
  },
  { title: 'Transitions' },
);
/** GET …/{name}/transitions, /api/v1/machines/{machine}/instances/{instance}/transitions */
export type Transitions = ReadonlyStatic<typeof transitions>;

const fold = Type.Object(
  {
    fold: Type.Literal(true),
    machine: text(),
    from: text('The state before the first move.'),
    to: text(),
    count: Type.Integer({ minimum: 4, description: 'How many moves it stands for.' }),
    first: text('The time of the first move.'),
    last: text('The time of the last move.'),
    firstSeq: count,
    lastSeq: count,
    text: text(),
  },
  { title: 'Fold', description: 'Moves of one machine to and fro between two states.' },
);

/** The query of transitions. */
export const foldQuery = Type.Object({
  fold: optional(
    Type.Boolean({
      description: 'Whether four or more moves of a machine to and fro between two states are one item.',
    }),
  ),
});

export const foldedTransitions = Type.Object(
  { ...transitions.properties, items: Type.Array(Type.Union([Type.Object(listedFields), fold])) },
  { title: 'FoldedTransitions' },
);
/** The same, where `fold=true` was asked for. */
export type FoldedTransitions = ReadonlyStatic<typeof foldedTransitions>;

export const trace = Type.Object(
  {
    ...instanceOf,
    state: text(),
    ...nextCheck,
    items: Type.Array(move),
  },
  { title: 'Trace' },
);
/** One instance with every move in its history, of all its machines, oldest first, for audits. */
export type Trace = ReadonlyStatic<typeof trace>;

/**
 * GET /api/v1/machines/{machine}/instances?state=&retrying=true&stuck=<seconds>&q=&limit=, by name. `state` takes
 * several values separated by commas, in any case, as the machine's word or as the displayed one; a resting instance is
 * never stuck.
 */
export type Instances = Items<Instance>;

/** GET /api/v1/machines/{machine}/transitions, by name. */
export type Traces = Items<Trace>;
