type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without its undefined fields. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
