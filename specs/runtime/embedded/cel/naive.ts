/** Why an expression has no value. */
export class Undefined extends Error {}

/** What expressions are evaluated in. */
export interface Scope {
  readonly self: Self;
  /** The variable of the innermost loop. */
  readonly x: bigint;
}

interface Self {
  readonly i: bigint;
  readonly d: number;
  readonly s: string;
  readonly l: readonly bigint[];
  readonly m: ReadonlyMap<string, bigint>;
}

export type Run<T> = (scope: Scope) => T;

/** An integer of 64 bits. */
export function int(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Undefined('too large');
  return value;
}

export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Undefined('not there');
  return value;
}

export function divided(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Undefined('by zero');
  return int(a / b);
}

/** Where the whole part of the quotient does not fit, neither does the remainder count. */
export function remainder(a: bigint, b: bigint): bigint {
  divided(a, b);
  return a - (a / b) * b;
}

/** The order of two doubles. */
export function ordered(a: number, b: number): number {
  if (a !== a || b !== b) throw new Undefined('no order');
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether one of them decides by itself; else an error of either is one of both. */
export const logic =
  (deciding: boolean, sides: readonly Run<boolean>[]): Run<boolean> =>
  (scope) => {
    const all = sides.map((side) => attempted(side, scope));
    if (all.includes(deciding)) return deciding;
    if (all.includes('undefined')) throw new Undefined('not decided');
    return !deciding;
  };

function attempted(run: Run<boolean>, scope: Scope): boolean | 'undefined' {
  try {
    return run(scope);
  } catch (error) {
    if (error instanceof Undefined) return 'undefined';
    throw error;
  }
}

/** A condition of each integer of a list. */
export const each = (list: Run<readonly bigint[]>, body: Run<boolean>) => (scope: Scope) =>
  list(scope).map((x) => () => body({ ...scope, x }));
