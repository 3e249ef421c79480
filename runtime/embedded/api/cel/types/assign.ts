import { type CelType, dynType, inner, isSame } from './type.ts';

/** What the parameters of types stand for, by their names. */
export type Bindings = ReadonlyMap<string, CelType>;

/** The bindings under which the types of one list can be given where those of the other are wanted; null for none. */
export function assigned(bindings: Bindings, given: readonly CelType[], wanted: readonly CelType[]): Bindings | null {
  const found = new Map(bindings);
  return areAssignable(found, given, wanted) ? found : null;
}

/** A type with everything put in for its parameters; what is bound to nothing is left, or taken for anything. */
export function substituted(bindings: Bindings, type: CelType, leaveFree = true): CelType {
  const bound = type.kind === 'parameter' ? bindings.get(type.name) : undefined;
  if (bound) return substituted(bindings, bound, leaveFree);
  if (type.kind === 'parameter') return leaveFree ? type : dynType;
  return type.of.length === 0 ? type : { ...type, of: type.of.map((one) => substituted(bindings, one, leaveFree)) };
}

/** The more general one of two types that go together. */
export const mostGeneral = (a: CelType, b: CelType): CelType => (isAsGeneral(a, b) ? a : b);

const isOpen = ({ kind }: CelType) => kind === 'dyn' || kind === 'error';

function isAsGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter' || a.kind !== b.kind) return false;
  if (a.of.length === 0) return isSame(a, b);
  return a.kind === 'type' || a.of.every((one, index) => isAsGeneral(one, inner(b, index)));
}

const areAssignable = (found: Map<string, CelType>, given: readonly CelType[], wanted: readonly CelType[]): boolean =>
  given.length === wanted.length && given.every((one, index) => isAssignable(found, one, wanted[index] ?? dynType));

function isAssignable(found: Map<string, CelType>, a: CelType, b: CelType): boolean {
  if (b.kind === 'parameter') {
    const { valid, isBound } = bind(found, a, b);
    if (valid || isBound) return valid;
  }
  if (a.kind === 'parameter') return bind(found, b, a).valid;
  if (isOpen(a) || isOpen(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  if (a.kind === 'type') return b.kind === 'type';
  if (a.of.length > 0) return a.kind === b.kind && areAssignable(found, a.of, b.of);
  return isSame(a, b);
}

const nullable: ReadonlySet<string> = new Set(['null', 'object', 'optional', 'duration', 'timestamp']);
const isNullable = ({ kind }: CelType) => nullable.has(kind);

/** Whether a type can stand for a parameter, which is then bound to it. */
function bind(found: Map<string, CelType>, type: CelType, to: CelType) {
  if (isSame(type, to)) return { valid: true, isBound: true };
  const bound = found.get(to.name);
  if (bound) {
    if (isSame(type, bound)) return { valid: true, isBound: true };
    if (!isAssignable(found, type, bound)) return { valid: false, isBound: true };
    const general = mostGeneral(type, bound);
    if (!holds(found, general, to)) found.set(to.name, general);
    return { valid: true, isBound: true };
  }
  if (holds(found, type, to)) return { valid: false, isBound: false };
  found.set(to.name, type);
  return { valid: true, isBound: false };
}

/** Whether a parameter occurs inside a type: it cannot stand for that. */
function holds(found: Bindings, type: CelType, name: CelType): boolean {
  if (isSame(type, name)) return true;
  if (type.kind !== 'parameter') return type.of.some((one) => holds(found, one, name));
  const bound = found.get(type.name);
  return bound !== undefined && holds(found, bound, name);
}
