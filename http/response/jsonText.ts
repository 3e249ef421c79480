declare const of: unique symbol;

/** JSON that was made of a `T`, so that a response written in parts is held to its schema. */
export type JsonText<T> = string & { readonly [of]: T };

/** Serializes a value. */
export const jsonText = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>;

/** A list of what was serialized before. */
export const jsonList = <T>(items: readonly JsonText<T>[]): JsonText<readonly T[]> =>
  `[${items.join(',')}]` as JsonText<readonly T[]>;

/** An object of what was serialized before, without the fields that are undefined. */
export const jsonObject = <T extends object>(fields: {
  readonly [K in keyof T]: JsonText<Exclude<T[K], undefined>> | undefined;
}): JsonText<T> => {
  const given = Object.entries<string | undefined>(fields).filter(([, text]) => text !== undefined);
  return `{${given.map(([name, text]) => `"${name}":${text}`).join(',')}}` as JsonText<T>;
};

/** The fields of two objects, neither of them empty, one after the other. */
export const jsonJoined = <A extends object, B extends object>(
  first: JsonText<A>,
  second: JsonText<B>,
): JsonText<A & B> => `${first.slice(0, -1)},${second.slice(1)}` as JsonText<A & B>;
