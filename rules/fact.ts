/** What is known of one thing: not asked for yet, unavailable, or its value. */
export type Fact<T> = Unasked | Unknown | Known<T>;
export interface Unasked {
  readonly is: 'unasked';
}
export interface Unknown {
  readonly is: 'unknown';
  readonly why: string;
}
export interface Known<T> {
  readonly is: 'known';
  readonly value: T;
}

export const unasked: Unasked = { is: 'unasked' };
export const unknown = (why: string): Unknown => ({ is: 'unknown', why });
export const known = <T>(value: T): Known<T> => ({ is: 'known', value });

/** The names of those facts that may be unasked or unknown; the others are plain values. */
export type FactName<Facts> = {
  [K in keyof Facts]-?: Unasked extends Facts[K] ? K : never;
}[keyof Facts] &
  string;

/** The facts, with the named ones known. */
export type Narrowed<Facts, Needed extends FactName<Facts>> = Omit<Facts, Needed> & {
  readonly [K in Needed]: Extract<Facts[K], { readonly is: 'known' }>;
};

/** Fills unasked facts with earlier answers; known facts keep their value. */
export const answered = <Facts extends object>(facts: Facts, asked: Readonly<Record<string, Fact<unknown>>>): Facts => {
  const given = Object.entries(asked).filter(([name]) => (facts as Record<string, unknown>)[name] === unasked);
  return given.length === 0 ? facts : { ...facts, ...Object.fromEntries(given) };
};
