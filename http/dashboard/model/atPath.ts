import { fieldsIn } from './details.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields with a value at a path, beside what they have. */
export const withAt = (fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields => ({
  ...fields,
  [name]: rest.length === 0 ? value : withAt(fieldsIn(fields[name]), rest, value),
});

/** The value at a path; undefined where there is none. */
export const valueAt = (fields: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((within, name) => fieldsIn(within)[name], fields);
