import type { Checked } from '../check/check.ts';
import type { Overload } from '../functions/signature.ts';
import { functions } from '../functions/all.ts';
import { typesByName } from '../check/names.ts';
import type { Call, Comprehension, Expression, Select } from '../parse/expression.ts';
import { actualCost } from '../cost/actual.ts';
import { ofNewList, ofNewMap } from '../cost/prices.ts';
import { matchesType } from './dispatch.ts';
import { typeNameOf, typeOfValue } from './typeOfValue.ts';
import { CostError, EvaluationError, Optional, Struct, TypeValue, isList, isMap, keyOf } from './values.ts';

/** What an evaluation has: its variables, and what it may still cost. */
export interface Scope {
  readonly get: (name: string) => unknown;
  readonly spend: (cost: number) => void;
}

/** Throws an EvaluationError where there is no value. */
export type Program = (scope: Scope) => unknown;

/** An expression ready to be evaluated, as often as one likes. */
export function programOf(root: Expression, checked: Checked): Program {
  function made(expression: Expression): Program {
    switch (expression.is) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'identifier':
        return named(expression.name);
      case 'select':
        return selected(expression);
      case 'call':
        return called(expression);
      case 'list':
        return listed(expression.items.map(made));
      case 'map':
        return mapped(expression.entries.map(([key, value]) => [made(key), made(value)] as const));
      case 'comprehension':
        return looped(expression);
    }
  }

  function named(name: string): Program {
    const type = typesByName[name];
    return (scope) => {
      scope.spend(1);
      const value = scope.get(name);
      if (value !== undefined) return value;
      if (type) return new TypeValue(type);
      throw new EvaluationError(`no such attribute(s): ${name}`);
    };
  }

  function selected(select: Select): Program {
    const qualified = checked.variableOf(select);
    if (qualified !== null) return named(qualified);
    const operand = made(select.operand);
    const { field } = select;
    if (select.isTest) return (scope) => hasField(operand(scope), field);
    return (scope) => {
      const holder = operand(scope);
      scope.spend(1);
      return fieldOf(holder, field);
    };
  }

  function called(call: Call): Program {
    if (call.name === '_&&_') return logic(call, false);
    if (call.name === '_||_') return logic(call, true);
    if (call.name === '_?_:_') return choice(call);
    const overloads = checked.overloadsOf(call);
    const isMember = overloads.some((overload) => overload.isMember);
    const args = [...(call.target && isMember ? [call.target] : []), ...call.args].map(made);
    const name = overloads[0]?.name ?? call.name;
    const [only] = overloads;
    const sure = only && overloads.length === 1 && !checked.isOpen(call) ? only : null;
    const candidates = (functions.get(name) ?? []).filter((one) => one.isMember === isMember);
    return (scope) => {
      const values = args.map((arg) => arg(scope));
      const overload = sure && !values.includes(null) ? sure : chosen(name, candidates, values);
      const result = applied(overload, values);
      scope.spend(actualCost(name, values, result));
      return result;
    };
  }

  /** An error on one side does not matter where the other side decides. */
  function logic({ args }: Call, deciding: boolean): Program {
    const [left, right] = args.map(made);
    return (scope) => {
      const one = attempted(left, scope);
      if (one === deciding) return deciding;
      const other = attempted(right, scope);
      if (other === deciding) return deciding;
      if (one === !deciding && other === !deciding) return !deciding;
      throw [one, other].find((side) => side instanceof EvaluationError) ?? new EvaluationError('no such overload');
    };
  }

  function choice({ args }: Call): Program {
    const [condition, one, other] = args.map(made);
    return (scope) => {
      const found = condition?.(scope);
      if (typeof found !== 'boolean') throw new EvaluationError('no such overload');
      return (found ? one : other)?.(scope);
    };
  }

  function looped(loop: Comprehension): Program {
    const [range, start, condition, step, result] = [
      loop.range,
      loop.start,
      loop.condition,
      loop.step,
      loop.result,
    ].map(made) as [Program, Program, Program, Program, Program];
    const [first = '', second] = loop.variables;
    // An error in one step of `all` and `exists` does not matter where another decides.
    const forgives = loop.condition.is === 'call';
    return (scope) => {
      const over = range(scope);
      let gathered: unknown = start(scope);
      let [key, value]: readonly unknown[] = [];
      const within: Scope = {
        spend: scope.spend,
        get: (name) => {
          if (name === second) return value;
          if (name === first) return second === undefined && isList(over) ? value : key;
          if (name !== loop.accumulator) return scope.get(name);
          if (gathered instanceof EvaluationError) throw gathered;
          return gathered;
        },
      };
      for ([key, value] of entriesOf(over)) {
        if (attempted(condition, within) === false) break;
        gathered = forgives ? attempted(step, within) : step(within);
      }
      return result(within);
    };
  }

  return made(root);
}

/** The value, or why there is none; what costs too much is never forgiven. */
function attempted(program: Program | undefined, scope: Scope): unknown {
  try {
    return program?.(scope);
  } catch (error) {
    if (error instanceof EvaluationError && !(error instanceof CostError)) return error;
    throw error;
  }
}

function* entriesOf(over: unknown): Iterable<readonly [unknown, unknown]> {
  if (isList(over)) for (const [index, item] of over.entries()) yield [BigInt(index), item];
  else if (isMap(over)) for (const key of over.keys()) yield [key, over.get(key)];
  else throw new EvaluationError(`got '${goTypeOf(over)}', expected iterable type`);
}

function goTypeOf(value: unknown): string {
  const { kind } = typeOfValue(value);
  return `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

const listed =
  (items: readonly Program[]): Program =>
  (scope) => {
    const list = items.map((item) => item(scope));
    scope.spend(ofNewList);
    return list;
  };

const mapped =
  (entries: readonly (readonly [Program, Program])[]): Program =>
  (scope) => {
    const all = entries.map(([key, value]) => {
      const by = keyOf(key(scope));
      if (by === null) throw new EvaluationError('unsupported key type');
      return [by, value(scope)] as const;
    });
    scope.spend(ofNewMap);
    return new Map(all);
  };

/** What functions are given that they were not made for, they say by a TypeError. */
function applied({ run }: Overload, values: readonly unknown[]): unknown {
  try {
    return (run as (...given: readonly unknown[]) => unknown)(...values);
  } catch (error) {
    throw error instanceof TypeError ? new EvaluationError('no such overload') : error;
  }
}

function chosen(name: string, candidates: readonly Overload[], values: readonly unknown[]): Overload {
  const found = candidates.find(
    ({ params }) => params.length === values.length && params.every((type, index) => matchesType(type, values[index])),
  );
  if (!found) throw new EvaluationError(noOverload(name, values));
  return found;
}

/** Only functions that do not belong to the language itself tell what they were given. */
function noOverload(name: string, values: readonly unknown[]): string {
  if (/^(?:[@_!-].*|contains|startsWith|endsWith|matches)$/.test(name)) return 'no such overload';
  return `no such overload: ${name === 'size' ? name : `${name}(${values.map(typeNameOf).join(', ')})`}`;
}

function fieldOf(holder: unknown, field: string): unknown {
  if (holder instanceof Optional)
    return holder.isPresent ? asOptional(() => fieldOf(holder.value, field)) : Optional.none;
  const value = holder instanceof Struct || isMap(holder) ? holder.get(field) : undefined;
  if (value === undefined) throw new EvaluationError(`no such key: ${field}`);
  return value;
}

function asOptional(read: () => unknown): Optional {
  try {
    return new Optional(read());
  } catch (error) {
    if (error instanceof EvaluationError) return Optional.none;
    throw error;
  }
}

function hasField(holder: unknown, field: string): boolean {
  if (holder instanceof Optional) return holder.isPresent && hasField(holder.value, field);
  return (holder instanceof Struct || isMap(holder)) && holder.get(field) !== undefined;
}
