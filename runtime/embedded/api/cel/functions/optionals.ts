import { Duration, EvaluationError, Optional, Struct, Uint, isList, isMap } from '../evaluate/values.ts';
import { found } from './operators.ts';
import type { Functions } from './signature.ts';

const optionalOf = (value: unknown) => (value === undefined ? Optional.none : new Optional(value));

function isZero(value: unknown): boolean {
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  if (isMap(value)) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  return value === null || value === '' || value === 0 || value === 0n || value === false;
}

function valueOf({ isPresent, value }: Optional): unknown {
  if (!isPresent) throw new EvaluationError('optional.none() dereference');
  return value;
}

/** What is found in a value that may itself be absent. */
function within(holder: unknown, by: unknown): Optional {
  const inside = holder instanceof Optional ? holder.value : holder;
  if (inside === undefined) return Optional.none;
  return optionalOf(inside instanceof Struct ? inside.get(String(by)) : found(inside, by));
}

const unwrapped = (list: readonly Optional[]) => list.filter(({ isPresent }) => isPresent).map(({ value }) => value);

/** Functions over values that may be absent. */
export const optionals: Functions = {
  'optional.of(A): optional<A>': (value: unknown) => new Optional(value),
  'optional.ofNonZeroValue(A): optional<A>': (value: unknown) => (isZero(value) ? Optional.none : new Optional(value)),
  'optional.none(): optional<A>': () => Optional.none,
  'optional<A>.value(): A': valueOf,
  'optional<A>.hasValue(): bool': ({ isPresent }: Optional) => isPresent,
  'optional<A>.or(optional<A>): optional<A>': (one: Optional, other: Optional) => (one.isPresent ? one : other),
  'optional<A>.orValue(A): A': ({ isPresent, value }: Optional, other: unknown) => (isPresent ? value : other),
  '_?._(dyn, string): optional<A>': within,
  '_[?_](list<A>, int): optional<A>': within,
  '_[?_](optional<list<A>>, int): optional<A>': within,
  '_[?_](map<A, B>, A): optional<B>': within,
  '_[?_](optional<map<A, B>>, A): optional<B>': within,
  '_[_](optional<list<A>>, int): optional<A>': within,
  '_[_](optional<map<A, B>>, A): optional<B>': within,
  'list<A>.first(): optional<A>': (list: readonly unknown[]) => optionalOf(list[0]),
  'list<A>.last(): optional<A>': (list: readonly unknown[]) => optionalOf(list.at(-1)),
  'optional.unwrap(list<optional<A>>): list<A>': unwrapped,
  'list<optional<A>>.unwrapOpt(): list<A>': unwrapped,
};
