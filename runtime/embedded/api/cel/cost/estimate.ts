import type { Checked } from '../check/check.ts';
import type { Call, Comprehension, Expression, Select } from '../parse/expression.ts';
import type { Declared } from '../types/declared.ts';
import { type Given, callCost, covering } from './calls.ts';
import { ofNewList, ofNewMap } from './prices.ts';
import { type Span, either, exactly, plus, times, unknownSize } from './size.ts';
import { type Path, declaredAt, typeSize } from './sizes.ts';

/** The sizes of what a list or a map holds. */
interface Entries {
  readonly isList: boolean;
  readonly key: Span;
  readonly value: Span;
}

interface Local {
  readonly path: Path;
  readonly size: Span | null;
  readonly entries: Entries | null;
}

type Locals = ReadonlyMap<string, Local>;

/** The most that an expression over values of a schema may cost to evaluate. */
export function estimate(root: Expression, checked: Checked, of: Declared): number {
  const paths = new Map<Expression, Path>();
  const sizes = new Map<Expression, Span>();
  const entriesOf = new Map<Expression, Entries>();

  const pathOf = (expression: Expression, locals: Locals): Path =>
    (expression.is === 'identifier' ? locals.get(expression.name)?.path : undefined) ?? paths.get(expression) ?? [];

  function entries(expression: Expression, locals: Locals): Entries | null {
    const known = entriesOf.get(expression);
    if (known) return known;
    return expression.is === 'identifier' ? (locals.get(expression.name)?.entries ?? null) : null;
  }

  function sizeIn(expression: Expression, locals: Locals): Span | null {
    const known = sizes.get(expression) ?? literalSize(expression);
    if (known) return known;
    const declared = declaredAt(of, pathOf(expression, locals));
    if (declared) {
      const found = { least: 0, most: declared.most };
      sizes.set(expression, found);
      return found;
    }
    const local = expression.is === 'identifier' ? (locals.get(expression.name)?.size ?? null) : null;
    return typeSize(checked.typeOf(expression)) ?? local;
  }

  const size = (expression: Expression, locals: Locals): Span => sizeIn(expression, locals) ?? unknownSize;

  function cost(expression: Expression, locals: Locals): Span {
    switch (expression.is) {
      case 'literal':
        return exactly(0);
      case 'identifier':
        paths.set(expression, locals.get(expression.name)?.path ?? [expression.name]);
        return exactly(1);
      case 'select':
        return ofSelect(expression, locals);
      case 'call':
        return ofCall(expression, locals);
      case 'list':
        return ofList(expression, expression.items, locals);
      case 'map':
        return ofMap(expression, expression.entries, locals);
      case 'comprehension':
        return isBinding(expression) ? ofBinding(expression, locals) : ofLoop(expression, locals);
    }
  }

  function ofSelect(select: Select, locals: Locals): Span {
    const qualified = checked.variableOf(select);
    if (qualified !== null) {
      paths.set(select, [qualified]);
      return exactly(1);
    }
    const operand = cost(select.operand, locals);
    if (select.isTest) return operand;
    paths.set(select, [...pathOf(select.operand, locals), select.field]);
    const { kind } = checked.typeOf(select.operand);
    return ['map', 'object', 'parameter'].includes(kind) ? plus(operand, exactly(1)) : operand;
  }

  function ofCall(call: Call, locals: Locals): Span {
    const [only] = call.args;
    if (call.name === 'dyn' && only) {
      const found = plus(cost(only, locals), exactly(1));
      keep(call, sizeIn(only, locals), entries(only, locals));
      return found;
    }
    const isMember = checked.overloadsOf(call).some((overload) => overload.isMember);
    const args = [...(call.target && isMember ? [call.target] : []), ...call.args];
    const costs = args.map((arg) => cost(arg, locals));
    if (call.name === '_&&_' || call.name === '_||_') return { least: leastOf(costs), most: plus(...costs).most };
    return call.name === '_?_:_' ? ofChoice(call, costs, locals) : plus(ofFunction(call, args, locals), ...costs);
  }

  /** What a call costs besides its arguments. */
  function ofFunction(call: Call, args: readonly Expression[], locals: Locals): Span {
    const overloads = checked.overloadsOf(call);
    if (overloads.length === 0) return exactly(0);
    const given = args.map((arg) => givenOf(arg, locals));
    const found = covering(overloads.map((overload) => callCost(overload, given)));
    indexed(call, locals);
    if (call.name === '_+_') joined(call, locals);
    const own = resultSize(call, found.size ?? null, locals) ?? sizeIn(call, locals);
    if (own) sizes.set(call, own);
    return found.cost;
  }

  function resultSize(call: Call, size: Span | null, locals: Locals): Span | null {
    const [holder] = call.args;
    return call.name === '_[_]' && holder ? (entries(holder, locals)?.value ?? null) : size;
  }

  function givenOf(expression: Expression, locals: Locals): Given {
    const path = pathOf(expression, locals);
    const item = path.length > 0 ? declaredAt(of, [...path, '@items']) : null;
    return {
      expression,
      type: checked.typeOf(expression),
      size: size(expression, locals),
      itemSize: item ? { least: 0, most: item.most } : unknownSize,
    };
  }

  function ofChoice(call: Call, [condition, left, right]: readonly Span[], locals: Locals): Span {
    const [, one, other] = call.args;
    if (!condition || !left || !right || !one || !other) return exactly(0);
    const [a, b] = [entries(one, locals), entries(other, locals)];
    keep(call, either(size(one, locals), size(other, locals)), a && b && joinedEntries(a, b));
    return plus(condition, either(left, right));
  }

  /** Where in the schema the item or the value of a call by index stands. */
  function indexed(call: Call, locals: Locals): void {
    const [holder] = call.args;
    if (call.name !== '_[_]' || !holder) return;
    const isList = checked.typeOf(holder).kind === 'list';
    paths.set(call, [...pathOf(holder, locals), isList ? '@items' : '@values']);
  }

  function joined(call: Call, locals: Locals): void {
    const [a, b] = call.args.map((arg) => entries(arg, locals));
    if (a && b) entriesOf.set(call, joinedEntries(a, b));
  }

  function ofList(expression: Expression, items: readonly Expression[], locals: Locals): Span {
    const costs = items.map((item) => cost(item, locals));
    const value = spanning(items.map((item) => size(item, locals)));
    entriesOf.set(expression, { isList: true, key: exactly(1), value });
    return plus(...costs, exactly(ofNewList));
  }

  function ofMap(expression: Expression, all: readonly (readonly [Expression, Expression])[], locals: Locals): Span {
    const costs = all.flat().map((part) => cost(part, locals));
    const key = spanning(all.map(([one]) => size(one, locals)));
    const value = spanning(all.map(([, one]) => size(one, locals)));
    entriesOf.set(expression, { isList: false, key, value });
    return plus(...costs, exactly(ofNewMap));
  }

  function ofBinding(loop: Comprehension, locals: Locals): Span {
    const before = plus(cost(loop.range, locals), cost(loop.start, locals));
    const within = new Map([...locals, [loop.accumulator, localOf(loop.start, locals)]]);
    const found = plus(before, cost(loop.result, within));
    keep(loop, sizeIn(loop.result, within), entries(loop.result, within));
    return found;
  }

  const localOf = (expression: Expression, locals: Locals): Local => ({
    path: pathOf(expression, locals),
    size: sizeIn(expression, locals),
    entries: entries(expression, locals),
  });

  function ofLoop(loop: Comprehension, locals: Locals): Span {
    const before = plus(cost(loop.range, locals), cost(loop.start, locals));
    const outer = new Map([...locals, [loop.accumulator, localOf(loop.start, locals)]]);
    const within = new Map([...outer, ...variablesOf(loop, locals)]);
    const once = plus(cost(loop.condition, within), cost(loop.step, within));
    const result = cost(loop.result, outer);
    const count = size(loop.range, locals);
    if (loop.start.is === 'list' || loop.start.is === 'map') keep(loop, count, entries(loop.step, within));
    else keep(loop, sizeIn(loop.start, locals), null);
    return plus(before, result, times(count, once));
  }

  function variablesOf({ range, variables }: Comprehension, locals: Locals): readonly (readonly [string, Local])[] {
    const held = entries(range, locals);
    const isList = held?.isList ?? checked.typeOf(range).kind === 'list';
    const path = pathOf(range, locals);
    const local = (step: string, of: Span | undefined): Local => ({
      path: [...path, step],
      size: of ?? null,
      entries: null,
    });
    const key = local(isList ? '@indices' : '@keys', held?.key);
    const value = local(isList ? '@items' : '@values', held?.value);
    const [first = '', second] = variables;
    if (second === undefined) return [[first, isList ? value : key]];
    return [
      [first, key],
      [second, value],
    ];
  }

  function keep(expression: Expression, own: Span | null, held: Entries | null): void {
    if (own) sizes.set(expression, own);
    if (held) entriesOf.set(expression, held);
  }

  return cost(root, new Map()).most;
}

const joinedEntries = (a: Entries, b: Entries): Entries => ({
  isList: a.isList,
  key: either(a.key, b.key),
  value: either(a.value, b.value),
});

const leastOf = ([first]: readonly Span[]) => first?.least ?? 0;

const spanning = ([one = exactly(0), ...others]: readonly Span[]): Span => others.reduce(either, one);

/** One value under a name of its own is no loop. */
const isBinding = ({ range, condition }: Comprehension): boolean =>
  range.is === 'list' && range.items.length === 0 && condition.is === 'literal' && condition.value === false;

function literalSize(expression: Expression): Span | null {
  if (expression.is === 'list') return exactly(expression.items.length);
  if (expression.is === 'map') return exactly(expression.entries.length);
  if (expression.is !== 'literal') return null;
  const { value } = expression;
  if (typeof value === 'string') return exactly(Array.from(value).length);
  return exactly(value instanceof Uint8Array ? value.length : 1);
}
