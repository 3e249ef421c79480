import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { type Fact, unknown } from '../../rules/fact.ts';
import { type Action, type AnyLifecycle, type BaseFacts, type Fields, lifecycle } from '../contract/lifecycle.ts';
import { type Lru, lru } from '../services/lru.ts';
import { statusOf } from './status.ts';
import { absent } from './step.ts';
import type { AnyEntries } from '../contract/list.ts';

const none: readonly Fields[] = [];

export const entriesIn = ({ list }: AnyEntries, object: KubeObject): readonly Fields[] =>
  (statusOf(object)[list] as readonly Fields[] | undefined) ?? none;

const keyOf = ({ key }: AnyEntries, entry: Fields): string => String(entry[key]);

type ByKey = ReadonlyMap<string, Fields>;

const knownByKey = new WeakMap<readonly Fields[], ByKey>();

/** Indexes a list by its keys, once per list, because a pass looks up each entry several times. */
function byKey(of: AnyEntries, list: readonly Fields[]): ByKey {
  const known = knownByKey.get(list);
  if (known) return known;
  const made = new Map(list.map((entry) => [keyOf(of, entry), entry]));
  knownByKey.set(list, made);
  return made;
}

const entryOf = (of: AnyEntries, object: KubeObject, key: string): Fields | undefined =>
  byKey(of, entriesIn(of, object)).get(key);

/** The keys of the entries that an object has. */
export const keysIn = (of: AnyEntries, object: KubeObject): readonly string[] =>
  entriesIn(of, object).map((entry) => keyOf(of, entry));

/** Whether no arrow leaves a state. */
const isFinal = ({ machine }: AnyEntries, state: string): boolean => machine.states[state]?.transitions.size === 0;

/** The keys that a pass processes: entries in progress, then entries to create. */
const keysUnderWay = (of: AnyEntries, object: KubeObject): readonly string[] => [
  ...entriesIn(of, object)
    .filter((entry) => !isFinal(of, of.read(entry)))
    .map((entry) => keyOf(of, entry)),
  ...of.awaited(object),
];

const withFieldsOf = (entry: Fields, fields: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...entry, ...fields }).filter(([, value]) => value !== null));

/** Sets fields of an entry, creating it when missing; returns the changed status fields. */
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

/** Enough for the entries in progress at one time. */
const keptLifecycles = 2_000;
const lifecyclesOf = new WeakMap<AnyEntries, Lru<AnyLifecycle>>();

/** The machine of one entry, cached because it follows from list and key alone. */
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
  const actions = Object.entries(of.actions).map(([action, { patch }]): [string, Action<KubeObject, BaseFacts>] => [
    action,
    patch === undefined ? {} : { patch: (acting) => patch(acting, { key, entry: entryOf(of, acting.object, key) }) },
  ]);
  return lifecycle<KubeObject, BaseFacts, string, string>({
    name,
    storage: 'status',
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
    observe: (object, reader, reconcileInput) =>
      of.observe({ object, key, entry: entryOf(of, object, key), reader, input: reconcileInput }),
    ask: (): Effect.Effect<Fact<unknown>> => Effect.succeed(unknown('nothing is asked for')),
    actions: Object.fromEntries(actions),
    ensures: of.ensures(key),
  });
}

/** The machines of all entries of an object that a pass processes. */
export const entryMachines = (lists: readonly AnyEntries[], object: KubeObject): readonly AnyLifecycle[] =>
  lists.flatMap((of) => keysUnderWay(of, object).map((key) => entryLifecycle(of, key)));
