import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { type Fact, unknown } from '../../rules/fact.ts';
import type { CacheReader } from '../cache/reader.ts';
import { whileSame } from '../cache/whileSame.ts';
import {
  type Acting,
  type AnyLifecycle,
  type BaseFacts,
  type Ensure,
  type Lifecycle,
  lifecycle,
  type Moment,
} from '../contract/lifecycle.ts';
import { type Lru, lru } from '../services/lru.ts';
import type { Fields } from './mergePatch.ts';
import { statusOf } from './status.ts';
import { absent } from './step.ts';

/** What is known when one entry of a list is observed. */
export interface Observing<O, Entry> {
  readonly object: O;
  readonly key: string;
  /** Absent where it is still to be made. */
  readonly entry: Entry | undefined;
  readonly reader: CacheReader;
  readonly moment: Moment;
}

/**
 * The machine of the entries of a list in the status: each entry is an instance of its own, known by a field and never
 * by its position.
 */
export interface Entries<
  O extends KubeObject,
  Entry,
  Facts extends BaseFacts,
  State extends string,
  Event extends string,
> extends Pick<
  Lifecycle<O, Facts, State, Event>,
  'name' | 'machine' | 'rows' | 'absence' | 'claims' | 'trouble' | 'rules'
> {
  /** The list in the status. */
  readonly list: string;
  /** The field of an entry that names it among the others. */
  readonly key: keyof Entry & string;
  /** The keys that are asked for and have no entry yet, as far as there is room for them, in their order. */
  awaited(object: O): readonly string[];
  /**
   * Whether an entry waits for the same as another one, and would be decided alike: a pass decides on one of them.
   */
  waitsAlike?(object: O, key: string): boolean;
  /** Fields of the status once an awaited entry is made, or will not be. */
  answered(object: O, key: string): Fields;
  /** The list with a new entry, without what has to make room for it. */
  entered(list: readonly Entry[], entry: Entry): readonly Entry[];
  /** What stands for an entry in a list of instances. */
  columns(entry: Entry, object: O): Readonly<Record<string, string>>;
  read(entry: Entry): State;
  write(to: State): Fields;
  observe(observing: Observing<O, Entry>): Omit<Facts, 'asked' | 'found'>;
  /** For each name in `meta.ensures`, how it is fulfilled for the entry of a key. */
  ensures(key: string): Readonly<Record<string, Ensure<O>>>;
  /** For each named action, the fields of the entry that it writes. */
  readonly writes: Readonly<
    Record<string, (acting: Acting<O, Facts>, of: Pick<Observing<O, Entry>, 'key' | 'entry'>) => Fields>
  >;
}

export type AnyEntries = Entries<KubeObject, Fields, BaseFacts, string, string>;

/** Erases the types of a list that the runtime need not know. */
export const entries = <
  O extends KubeObject,
  Entry,
  Facts extends BaseFacts,
  State extends string,
  Event extends string,
>(
  of: Entries<O, Entry, Facts, State, Event>,
): AnyEntries => of as unknown as AnyEntries;

export const entriesIn = ({ list }: AnyEntries, object: KubeObject): readonly Fields[] =>
  (statusOf(object)[list] as readonly Fields[] | undefined) ?? [];

const keyOf = ({ key }: AnyEntries, entry: Fields): string => String(entry[key]);

const lastByKey = whileSame<ReadonlyMap<string, Fields>>();

/** The entries of a list by their keys; a pass asks for each of them several times. */
const byKey = (of: AnyEntries, list: readonly Fields[]): ReadonlyMap<string, Fields> =>
  lastByKey(list, [of], () => new Map(list.map((entry) => [keyOf(of, entry), entry])));

const entryOf = (of: AnyEntries, object: KubeObject, key: string): Fields | undefined =>
  byKey(of, entriesIn(of, object)).get(key);

/** The keys of the entries that an object has. */
export const keysIn = (of: AnyEntries, object: KubeObject): readonly string[] =>
  entriesIn(of, object).map((entry) => keyOf(of, entry));

/** Whether no arrow leaves a state, so that an entry in it moves no more. */
const isFinal = ({ machine }: AnyEntries, state: string): boolean => machine.states[state]?.transitions.size === 0;

/** The keys that a pass has to process: entries that are under way, then those to be made. */
const keysUnderWay = (of: AnyEntries, object: KubeObject): readonly string[] => [
  ...entriesIn(of, object)
    .filter((entry) => !isFinal(of, of.read(entry)))
    .map((entry) => keyOf(of, entry)),
  ...of.awaited(object),
];

const withFieldsOf = (entry: Fields, fields: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...entry, ...fields }).filter(([, value]) => value !== null));

/** The fields of the status after fields of an entry are set, which is made where it is not there. */
function placed(of: AnyEntries, object: KubeObject, key: string, fields: Fields): Fields {
  const list = entriesIn(of, object);
  if (entryOf(of, object, key) === undefined)
    return {
      ...of.answered(object, key),
      [of.list]: of.entered(list, withFieldsOf({ [of.key]: key }, fields)),
    };
  return { [of.list]: list.map((entry) => (keyOf(of, entry) === key ? withFieldsOf(entry, fields) : entry)) };
}

const removed = (of: AnyEntries, object: KubeObject, key: string): Fields => ({
  ...of.answered(object, key),
  ...(entryOf(of, object, key) === undefined
    ? {}
    : { [of.list]: entriesIn(of, object).filter((entry) => keyOf(of, entry) !== key) }),
});

/** As many as the entries that are under way at one time. */
const keptLifecycles = 2_000;
const lifecyclesOf = new WeakMap<AnyEntries, Lru<AnyLifecycle>>();

/** The machine of one entry: the same for every object and pass, because it follows from list and key alone. */
export function entryLifecycle(of: AnyEntries, key: string): AnyLifecycle {
  const made = lifecyclesOf.get(of) ?? lru<AnyLifecycle>(keptLifecycles);
  lifecyclesOf.set(of, made);
  const before = made.get(key);
  if (before) return before;
  const one = lifecycleOf(of, key);
  made.set(key, one);
  return one;
}

function lifecycleOf(of: AnyEntries, key: string): AnyLifecycle {
  const { name, machine, rows, absence, claims, trouble, rules } = of;
  const read = (object: KubeObject): string => {
    const entry = entryOf(of, object, key);
    return entry === undefined ? absent : of.read(entry);
  };
  const writes = Object.entries(of.writes).map(
    ([action, write]) =>
      [
        action,
        (acting: Acting<KubeObject, BaseFacts>) => write(acting, { key, entry: entryOf(of, acting.object, key) }),
      ] as const,
  );
  return lifecycle<KubeObject, BaseFacts, string, string>({
    name,
    kept: 'status',
    item: {
      key,
      placed: (object, fields) => placed(of, object, key, fields),
      removed: (object) => removed(of, object, key),
      isIn: (object) => entryOf(of, object, key) !== undefined,
      isWanted: (object) =>
        entryOf(of, object, key) === undefined
          ? of.awaited(object).includes(key)
          : of.waitsAlike?.(object, key) !== true,
      isOverIn: (state) => isFinal(of, state),
    },
    machine,
    rows,
    absence,
    claims,
    trouble,
    rules,
    retrying: () => false,
    read,
    write: (to) => of.write(to),
    shown: read,
    observe: (object, reader, moment) => of.observe({ object, key, entry: entryOf(of, object, key), reader, moment }),
    ask: (): Effect.Effect<Fact<unknown>> => Effect.succeed(unknown('nothing is asked for')),
    writes: Object.fromEntries(writes),
    acts: {},
    ensures: of.ensures(key),
  });
}

/** The machines of every entry of an object that a pass has to process. */
export const entryMachines = (lists: readonly AnyEntries[], object: KubeObject): readonly AnyLifecycle[] =>
  lists.flatMap((of) => keysUnderWay(of, object).map((key) => entryLifecycle(of, key)));
