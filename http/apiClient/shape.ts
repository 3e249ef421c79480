import { isObject } from '../../rules/json.ts';
import { ApiFailure } from './failure.ts';

/** Reads a value of an answer; throws where it is something else. Fields that nobody reads are let through. */
export type Shape<T> = (value: unknown, at: string) => T;

const refuse = (at: string, what: string): never => {
  throw new ApiFailure(`the service answered something unexpected: ${at} is no ${what}`);
};

export const text: Shape<string> = (value, at) => (typeof value === 'string' ? value : refuse(at, 'text'));
export const number: Shape<number> = (value, at) => (typeof value === 'number' ? value : refuse(at, 'number'));
export const flag: Shape<boolean> = (value, at) => (typeof value === 'boolean' ? value : refuse(at, 'boolean'));

export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, at) =>
    value === null ? null : shape(value, at);

export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : shape(value, at);

export const list =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((item, index) => shape(item, `${at}[${index}]`)) : refuse(at, 'list');

export const anything: Shape<Readonly<Record<string, unknown>>> = (value, at) =>
  isObject(value) ? value : refuse(at, 'object');

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Optional<F extends Fields> = {
  [Name in keyof F]: undefined extends ReturnType<F[Name]> ? Name : never;
}[keyof F];
type Read<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Optional<F>>]: ReturnType<F[Name]>;
} & { readonly [Name in Optional<F>]?: Exclude<ReturnType<F[Name]>, undefined> };

/** An object with these fields. It is passed on as it came, so that `--json` prints the API's response. */
export const object = <const F extends Fields>(fields: F): Shape<Read<F>> => {
  const shapes = Object.entries(fields);
  return (value, at) => {
    const found = anything(value, at);
    for (const [name, shape] of shapes) shape(found[name], at === '' ? name : `${at}.${name}`);
    return found as Read<F>;
  };
};

export const record =
  <T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (value, at) => {
    const found = anything(value, at);
    for (const [name, item] of Object.entries(found)) shape(item, `${at}.${name}`);
    return found as Readonly<Record<string, T>>;
  };

/** A list as the API answers it. */
export const items = <T>(shape: Shape<T>): Shape<{ readonly items: readonly T[] }> => object({ items: list(shape) });

/** What is read of an answer: fields that the answer has, as the API types them. */
type Of<Answer, T> = Answer extends T
  ? [Exclude<T extends object ? keyof T : never, Answer extends object ? keyof Answer : never>] extends [never]
    ? unknown
    : never
  : never;

/**
 * Holds a shape to the type of the API's answer, so that a field that changes there does not compile here.
 *
 * @example
 * export const statusShape = answerOf<StatusItem>()(object({ name: optional(text), ready: optional(flag) }));
 */
export const answerOf =
  <Answer>() =>
  <T>(shape: Shape<T> & Of<Answer, T>): Shape<T> =>
    shape;

/** Reads a whole answer. */
export const read = <T>(shape: Shape<T>, answer: unknown): T => shape(answer, 'the answer');
