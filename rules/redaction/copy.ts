import type { StoredCause } from '../../crds/cause.ts';
import type { KindName } from '../../crds/kinds.ts';
import { visibleCause } from '../cause/visible.ts';
import { paramsIn } from '../words.ts';
import type { Fields, Leaf, Redacted } from './fields.ts';
import { failureInWords, type Happened, messageInWords, moveInWords } from './words.ts';

type Inside = Readonly<Record<string, unknown>>;

const isInside = (value: unknown): value is Inside =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const moveOf = ({ machine, from, event, to, text: said, params }: Inside): Happened => ({
  machine: text(machine),
  from: text(from),
  event: text(event),
  to: text(to),
  text: text(said),
  params: paramsIn(params),
});
const movesIn = (history: unknown): readonly Happened[] =>
  Array.isArray(history) ? history.filter(isInside).map(moveOf) : [];

/** A scalar, or the scalars of a list; any other value contains undeclared fields, which are hidden. */
function plain(value: unknown): unknown {
  if (isScalar(value)) return value;
  return Array.isArray(value) ? value.filter(isScalar) : undefined;
}

const entriesOf = (value: unknown): unknown =>
  isInside(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => isScalar(one))) : undefined;

const namesOf = (value: unknown): unknown =>
  isInside(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, ''])) : undefined;

interface Context {
  /** The fields beside the value. */
  readonly beside: Inside;
  readonly view: Redacted;
}

const toObservers =
  (copied: (value: unknown) => unknown) =>
  (value: unknown, { view }: Context) =>
    view === 'observer' ? copied(value) : undefined;

const causesShown =
  (owner: KindName) =>
  (value: unknown, { view }: Context) =>
    Array.isArray(value)
      ? value.filter(isInside).map((cause) => visibleCause(owner, cause as Inside & StoredCause, view))
      : undefined;

const copiers: Readonly<Record<Leaf, (value: unknown, context: Context) => unknown>> = {
  hidden: () => undefined,
  viewer: plain,
  observer: toObservers(plain),
  'entries to viewers': entriesOf,
  'entries to observers': toObservers(entriesOf),
  'names to observers': toObservers(namesOf),
  'plain to observers': (value, { beside, view }) =>
    view === 'observer' && beside['secretRef'] === undefined ? plain(value) : undefined,
  'failure in words': (value, { beside: { history }, view }) =>
    typeof value === 'string' ? failureInWords(value, movesIn(history), view) : undefined,
  'message in words': (value, { beside, view }) =>
    messageInWords({ reason: text(beside['reason']), message: text(value), params: paramsIn(beside['params']) }, view),
  'causes in words': causesShown('CoreProject'),
  'causes of a service in words': causesShown('CoreApp'),
  'move in words': (_, { beside, view }) => moveInWords(moveOf(beside), view),
};

const neverToViewers: readonly Leaf[] = [
  'observer',
  'entries to observers',
  'names to observers',
  'plain to observers',
];

/** Whether a view reads any part of the value. */
export const isVisible = (of: Leaf | Fields, view: Redacted): boolean =>
  typeof of === 'string'
    ? of !== 'hidden' && (view === 'observer' || !neverToViewers.includes(of))
    : visibleFields(of, view).length > 0;

type Entry = readonly [name: string, of: Leaf | Fields];
const visibleTo: Readonly<Record<Redacted, WeakMap<Fields, readonly Entry[]>>> = {
  viewer: new WeakMap(),
  observer: new WeakMap(),
};

/** The fields of which a view reads any part. */
function visibleFields(fields: Fields, view: Redacted): readonly Entry[] {
  const known = visibleTo[view].get(fields) ?? Object.entries(fields).filter(([, of]) => isVisible(of, view));
  visibleTo[view].set(fields, known);
  return known;
}

/** The copy of a value for a view: undeclared fields are hidden. */
export function copyOf(fields: Fields, value: unknown, view: Redacted): unknown {
  if (Array.isArray(value)) return value.filter(isInside).map((item) => copyOf(fields, item, view));
  if (!isInside(value)) return undefined;
  const copy: Record<string, unknown> = {};
  const context = { beside: value, view };
  for (const [name, of] of visibleFields(fields, view)) {
    if (!Object.hasOwn(value, name)) continue;
    const one = typeof of === 'string' ? copiers[of](value[name], context) : copyOf(of, value[name], view);
    if (one !== undefined) copy[name] = one;
  }
  return copy;
}

const holding = new WeakMap<Fields, boolean>();

function holdsSecrets(of: Leaf | Fields): boolean {
  if (typeof of === 'string') return of === 'names to observers';
  const known = holding.get(of) ?? Object.values(of).some(holdsSecrets);
  holding.set(of, known);
  return known;
}

/** The whole value without the values of secrets; the same object when it contains none. */
export function withoutSecrets(of: Leaf | Fields, value: unknown): unknown {
  if (!holdsSecrets(of)) return value;
  if (typeof of === 'string') return namesOf(value);
  if (!isInside(value)) return value;
  const blanked = Object.entries(of)
    .filter(([name, inner]) => Object.hasOwn(value, name) && holdsSecrets(inner))
    .map(([name, inner]) => [name, withoutSecrets(inner, value[name])]);
  return blanked.length === 0 ? value : { ...value, ...Object.fromEntries(blanked) };
}
