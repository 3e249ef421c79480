import type { Items } from '../../openapi/paging.ts';
import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, mapOf, oneOf, orNull, text } from '../../openapi/kit.ts';

const count = Type.Integer({ minimum: 0 });
const texts = Type.Array(text());
/** The next check, under its name and under an earlier one, and its interval. */
const nextCheck = {
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

const restsUntil = orNull(
  text('What leads out of a resting state, in which nothing happens automatically; null for any other state.'),
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

const id = text(
  'The plural of the kind, a colon and the name; for an item of the object, another colon and the item. Unique among ' +
    'the instances of a machine. A token is `secrets:core-api-tokens:` and its ID; the item of a locked name and of the ' +
    'sessions of a user is the username; what the leader has in memory is an item of its Lease with an opaque name.',
);

/** Which object an instance of a machine is of, and where that stands. */
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

export const move = Type.Object(moveFields, { title: 'Move' });
/** One move of status.history. */
export type Move = ReadonlyStatic<typeof move>;

/** A move with its row of the table. */
const listedFields = { ...moveFields, row: optional(text()), outside: Type.Boolean() };

export const transitions = Type.Object(
  {
    name: text(),
    items: Type.Array(Type.Object(listedFields)),
    note: optional(text('Why there are none, if transitions of the machine are not recorded.')),
  },
  { title: 'Transitions' },
);
/** GET …/{name}/transitions, /api/v1/machines/{machine}/instances/{instance}/transitions */
export type Transitions = ReadonlyStatic<typeof transitions>;

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
export const note = Type.Object(
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
/**
 * GET …/{name}/explain, /api/v1/machines/{machine}/instances/{instance}/explain: why the instance is in
 * its state, and what happens next. `observedAt`, `nextCheckAt` and `failure` are null from a standby: it decides from its
 * caches, and only the leader knows more.
 */
export type Explanation = ReadonlyStatic<typeof explanation>;

/** The data of server-sent events, by the name of the event. */
export const streamed = {
  hello: Type.Object({ now: text('A time.'), resumed: Type.Boolean() }, { title: 'Hello' }),
  move: Type.Object({ ...listedFields, id, name: text(), uid: text(), kind: text(), instance }, { title: 'MoveEvent' }),
  instance,
  deleted: Type.Object({ id, name: text(), uid: text(), kind: text(), machine: text() }, { title: 'Deleted' }),
  change: Type.Object(
    {
      kind: text('Pod where pods of a service changed.'),
      name: text('Of a Pod the name of its service.'),
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

/**
 * GET /api/v1/machines/{machine}/instances?state=&retrying=true&stuck=<seconds>&q=&limit=, by name. `state` takes
 * several values separated by commas, in any case, as the machine's word or as the displayed one; a resting instance is
 * never stuck.
 */
export type Instances = Items<Instance>;

/** GET /api/v1/machines/{machine}/transitions, by name. */
export type Traces = Items<Trace>;

/** The result of one rule for the facts. `not reached`: an earlier rule held or a fact is missing. */
export type Tried = Explanation['tried'][number];

type Streamed = typeof streamed;
/**
 * GET /api/v1/events: server-sent events. The id of a move or a deletion is `<at in ms>.<uid>.<seq>`; a resume by the
 * header Last-Event-ID or `?lastEventId=` sends everything since that id and from the 60 s before it, so clients drop
 * ids they know. `instance` reports changes without a move (paused, failing passes, another interval of checks or moment of the
 * next one; not that a check came and changed nothing), `change` names an
 * object of any kind that was written or deleted, so that whoever shows it reads it again. `reset` means that the
 * id is older than the kept history, or that the replica gained or lost leadership: read everything again. `tick` comes
 * every 15 s.
 */
export type StreamEvent = {
  readonly [Name in keyof Streamed]: { readonly event: Name; readonly data: ReadonlyStatic<Streamed[Name]> };
}[keyof Streamed];

/** An object that was written or deleted. */
export type ChangeNotice = ReadonlyStatic<Streamed['change']>;
