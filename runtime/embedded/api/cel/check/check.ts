import type { Overload } from '../functions/signature.ts';
import { functions } from '../functions/all.ts';
import type { Call, Comprehension, Expression, Fault, ListLiteral, MapLiteral, Select } from '../parse/expression.ts';
import { type Bindings, assigned, mostGeneral, substituted } from '../types/assign.ts';
import {
  type CelType,
  boolType,
  dynType,
  errorType,
  inner,
  intType,
  listOf,
  mapOf,
  optionalOf,
  parameter,
  shown,
  typeOf,
} from '../types/type.ts';
import { typeOfValue } from '../evaluate/typeOfValue.ts';
import { typesByName } from './names.ts';

/** An expression with the types of its parts, or with what is wrong with it. */
export interface Checked {
  readonly type: CelType;
  readonly faults: readonly Fault[];
  readonly typeOf: (expression: Expression) => CelType;
  /** The overloads that a call may come to. */
  readonly overloadsOf: (call: Call) => readonly Overload[];
  /** Whether nothing but the value itself can show which overload a call comes to. */
  readonly isOpen: (call: Call) => boolean;
  /** The name of a variable that a chain of fields stands for. */
  readonly variableOf: (expression: Expression) => string | null;
  readonly uses: ReadonlySet<string>;
}

type Variables = ReadonlyMap<string, CelType>;

/** Finds the type of an expression and of all its parts, and everything that does not fit. */
export function check(root: Expression, variables: Variables): Checked {
  const types = new Map<Expression, CelType>();
  const overloads = new Map<Expression, readonly Overload[]>();
  const qualified = new Map<Expression, string>();
  const uses = new Set<string>();
  const faults: Fault[] = [];
  let bindings: Bindings = new Map();
  let fresh = 0;

  const report = (position: number, says: string) => void faults.push({ says, position });
  const undeclared = (position: number, name: string) =>
    report(position, `undeclared reference to '${name}' (in container '')`);
  const put = (type: CelType) => substituted(bindings, type);
  const free = () => parameter(`_var${(fresh += 1)}`);

  function fits(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    const found = assigned(bindings, given, wanted);
    if (found) bindings = found;
    return found !== null;
  }

  function mismatch(position: number, wanted: CelType, given: CelType): CelType {
    report(position, `expected type '${shown(put(wanted))}' but found '${shown(put(given))}'`);
    return errorType;
  }

  function typed(expression: Expression, scope: Variables): CelType {
    const type = typeIn(expression, scope);
    types.set(expression, type);
    return type;
  }

  function typeIn(expression: Expression, scope: Variables): CelType {
    switch (expression.is) {
      case 'literal':
        return typeOfValue(expression.value);
      case 'identifier':
        return ofName(expression.name, expression.position, scope);
      case 'select':
        return ofSelect(expression, scope);
      case 'call':
        return ofCall(expression, scope);
      case 'list':
        return ofList(expression, scope);
      case 'map':
        return ofMap(expression, scope);
      case 'comprehension':
        return ofComprehension(expression, scope);
    }
  }

  function ofName(name: string, position: number, scope: Variables): CelType {
    const variable = scope.get(name);
    if (variable) {
      uses.add(name);
      return variable;
    }
    const named = typesByName[name];
    if (named) return typeOf(named);
    undeclared(position, name);
    return errorType;
  }

  function ofSelect(select: Select, scope: Variables): CelType {
    const name = select.isTest ? null : qualifiedName(select);
    const variable = name === null ? undefined : scope.get(name);
    if (name !== null && variable) {
      qualified.set(select, name);
      uses.add(name);
      return variable;
    }
    const named = name === null ? undefined : typesByName[name];
    if (name !== null && named) {
      qualified.set(select, name);
      return typeOf(named);
    }
    const type = ofField(select.operand, select, scope);
    return select.isTest ? boolType : put(type);
  }

  function ofField(
    operand: Expression,
    { field, position }: { readonly field: string; readonly position: number },
    scope: Variables,
  ): CelType {
    const whole = put(typed(operand, scope));
    const target = whole.kind === 'optional' ? inner(whole) : whole;
    const found = fieldOf(target, field, position);
    return whole.kind === 'optional' ? optionalOf(found) : found;
  }

  function fieldOf(target: CelType, field: string, position: number): CelType {
    if (target.kind === 'map') return inner(target, 1);
    if (target.kind === 'parameter') fits([dynType], [target]);
    if (['parameter', 'dyn', 'error'].includes(target.kind)) return dynType;
    if (target.kind !== 'object') {
      report(position, `type '${shown(target)}' does not support field selection`);
      return dynType;
    }
    const type = target.fields?.get(field);
    if (!type) report(position, `undefined field '${field}'`);
    return type ?? errorType;
  }

  function ofCall(call: Call, scope: Variables): CelType {
    if (call.name === '_?._') return ofOptionalSelect(call, scope);
    for (const arg of call.args) typed(arg, scope);
    if (!call.target) return ofFunction(call, call.name, call.args);
    const prefix = qualifiedName(call.target);
    const namespaced = prefix === null || scope.has(prefix) ? '' : `${prefix}.${call.name}`;
    if (functions.has(namespaced)) return ofFunction(call, namespaced, call.args);
    typed(call.target, scope);
    return ofFunction(call, call.name, [call.target, ...call.args]);
  }

  function ofOptionalSelect(call: Call, scope: Variables): CelType {
    const [operand, field] = call.args;
    if (operand?.is === undefined || field?.is !== 'literal') return errorType;
    const type = ofField(operand, { field: String(field.value), position: call.position }, scope);
    overloads.set(call, functions.get('_?._') ?? []);
    return put(type.kind === 'optional' ? type : optionalOf(type));
  }

  function ofFunction(call: Call, name: string, args: readonly Expression[]): CelType {
    const known = functions.get(name);
    if (!known) {
      undeclared(call.position, name);
      return errorType;
    }
    const isMember = args.length > call.args.length;
    const given = args.map((arg) => types.get(arg) ?? dynType);
    if (name === '_&&_' || name === '_||_') return ofLogic(call, given);
    const found = resolved(known, given, isMember);
    overloads.set(call, found.overloads);
    if (found.type) return found.type;
    const all = given.map((type) => shown(substituted(bindings, type, false)));
    const told = isMember ? `${all[0]}.(${all.slice(1).join(', ')})` : `(${all.join(', ')})`;
    report(call.position, `found no matching overload for '${name}' applied to '${told}'`);
    return errorType;
  }

  function ofLogic(call: Call, given: readonly CelType[]): CelType {
    let result = boolType;
    for (const [index, type] of given.entries())
      if (!fits([type], [boolType])) result = mismatch(call.args[index]?.position ?? call.position, boolType, type);
    return result;
  }

  function resolved(known: readonly Overload[], given: readonly CelType[], isMember: boolean) {
    let type: CelType | null = null;
    const matching = known.filter((overload) => {
      if (overload.isMember !== isMember) return false;
      const [result = dynType, ...params] = renamed([overload.result, ...overload.params]);
      if (!fits(given, params)) return false;
      const own = put(result);
      type = type === null || shown(type) === shown(own) ? own : dynType;
      return true;
    });
    return { overloads: matching, type: type as CelType | null };
  }

  /** The types of an overload with parameters that nothing else has. */
  function renamed(of: readonly CelType[]): readonly CelType[] {
    const names = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (type.kind !== 'parameter') return type.of.length === 0 ? type : { ...type, of: type.of.map(rename) };
      const own = names.get(type.name) ?? free();
      names.set(type.name, own);
      return own;
    };
    return of.map(rename);
  }

  /** Lists and maps of mixed types are distinguished later: some functions take them. */
  function joined(before: CelType | null, type: CelType): CelType {
    if (before === null) return type;
    return fits([before], [type]) ? mostGeneral(before, type) : dynType;
  }

  function ofList({ items }: ListLiteral, scope: Variables): CelType {
    let item: CelType | null = null;
    for (const one of items) item = joined(item, typed(one, scope));
    return listOf(item ?? free());
  }

  function ofMap({ entries }: MapLiteral, scope: Variables): CelType {
    let key: CelType | null = null;
    let value: CelType | null = null;
    for (const [one, of] of entries) {
      key = joined(key, typed(one, scope));
      value = joined(value, typed(of, scope));
    }
    return mapOf(key ?? free(), value ?? free());
  }

  function ofComprehension(loop: Comprehension, scope: Variables): CelType {
    const range = put(typed(loop.range, scope));
    const gathered = typed(loop.start, scope);
    const outer = new Map([...scope, [loop.accumulator, gathered]]);
    const within = new Map([...outer, ...variablesOf(loop, range)]);
    must(loop.condition, boolType, within);
    must(loop.step, gathered, within);
    return put(typed(loop.result, outer));
  }

  function must(expression: Expression, wanted: CelType, scope: Variables): void {
    const type = typed(expression, scope);
    if (!fits([wanted], [type])) mismatch(expression.position, wanted, type);
  }

  function variablesOf(loop: Comprehension, range: CelType): readonly (readonly [string, CelType])[] {
    const [first = '', second] = loop.variables;
    const each = itemsOf(loop, range);
    if (second === undefined) return [[first, range.kind === 'list' ? each.value : each.key]];
    return [
      [first, each.key],
      [second, each.value],
    ];
  }

  function itemsOf(loop: Comprehension, range: CelType): { readonly key: CelType; readonly value: CelType } {
    if (range.kind === 'list') return { key: intType, value: inner(range) };
    if (range.kind === 'map') return { key: inner(range), value: inner(range, 1) };
    if (range.kind === 'parameter') fits([dynType], [range]);
    if (['parameter', 'dyn', 'error'].includes(range.kind)) return { key: dynType, value: dynType };
    report(
      loop.range.position,
      `expression of type '${shown(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return { key: errorType, value: errorType };
  }

  const type = put(typed(root, variables));
  return {
    type: substituted(bindings, type, false),
    faults,
    typeOf: (expression) => substituted(bindings, types.get(expression) ?? dynType, false),
    overloadsOf: (call) => overloads.get(call) ?? [],
    isOpen: ({ target, args }) =>
      [...(target ? [target] : []), ...args].some((arg) =>
        ['dyn', 'error'].includes(put(types.get(arg) ?? dynType).kind),
      ),
    variableOf: (expression) => qualified.get(expression) ?? null,
    uses,
  };
}

/** Names joined by dots, where an expression is nothing else. */
function qualifiedName(expression: Expression): string | null {
  if (expression.is === 'identifier') return expression.name;
  if (expression.is !== 'select' || expression.isTest) return null;
  const before = qualifiedName(expression.operand);
  return before === null ? null : `${before}.${expression.field}`;
}
