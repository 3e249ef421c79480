import { accumulator, partsAt } from './build.ts';
import type { Comprehension, Expression, Fault } from './expression.ts';

/** What stands before a macro, and what is given to it. */
export interface Use {
  readonly target: Expression;
  readonly args: readonly Expression[];
  readonly position: number;
}

type Macro = (use: Use) => Expression | Fault;

/** The macro of a name that takes so many arguments, if there is one. */
export const macroOf = (name: string, count: number): Macro | undefined => macros[`${name}/${count}`];

interface Gathering {
  readonly start: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** What a loop does; `rest` are the arguments behind the names of its variables. */
type Loop = (use: Use, rest: readonly Expression[], names: readonly string[]) => Gathering;

const notSimple = 'argument must be a simple name';

function namesOf(args: readonly Expression[]): readonly string[] | Fault {
  const names: string[] = [];
  for (const arg of args) {
    if (arg.is !== 'identifier') return { says: notSimple, position: arg.position };
    if (names.includes(arg.name)) return { says: `duplicate variable name: ${arg.name}`, position: arg.position };
    if (arg.name === accumulator)
      return { says: 'iteration variable overwrites accumulator variable', position: arg.position };
    names.push(arg.name);
  }
  return names;
}

const looping =
  (count: number, loop: Loop): Macro =>
  (use) => {
    const variables = namesOf(use.args.slice(0, count));
    if ('says' in variables) return variables;
    const gathering = loop(use, use.args.slice(count), variables);
    return { is: 'comprehension', range: use.target, variables, accumulator, position: use.position, ...gathering };
  };

const first = (rest: readonly Expression[], otherwise: Expression): Expression => rest[0] ?? otherwise;

const all: Loop = ({ position }, rest) => {
  const { literal, call, gathered } = partsAt(position);
  return {
    start: literal(true),
    condition: call('@not_strictly_false', gathered),
    step: call('_&&_', gathered, first(rest, gathered)),
    result: gathered,
  };
};

const exists: Loop = ({ position }, rest) => {
  const { literal, call, gathered } = partsAt(position);
  return {
    start: literal(false),
    condition: call('@not_strictly_false', call('!_', gathered)),
    step: call('_||_', gathered, first(rest, gathered)),
    result: gathered,
  };
};

const existsOne: Loop = ({ position }, rest) => {
  const { literal, call, gathered } = partsAt(position);
  return {
    start: literal(0n),
    condition: literal(true),
    step: call('_?_:_', first(rest, gathered), call('_+_', gathered, literal(1n)), gathered),
    result: call('_==_', gathered, literal(1n)),
  };
};

const filter: Loop = ({ position, args: [variable] }, rest) => {
  const { list, literal, call, gathered } = partsAt(position);
  return {
    start: list(),
    condition: literal(true),
    step: call('_?_:_', first(rest, gathered), call('_+_', gathered, list(variable ?? gathered)), gathered),
    result: gathered,
  };
};

/** A condition before what is gathered is optional. */
const gathering =
  (start: 'list' | 'map', gather: (use: Use, value: Expression, names: readonly string[]) => Expression): Loop =>
  (use, rest, names) => {
    const { list, literal, call, gathered } = partsAt(use.position);
    const value = rest.at(-1) ?? gathered;
    const condition = rest.length > 1 ? rest[0] : undefined;
    const step = gather(use, value, names);
    return {
      start: start === 'list' ? list() : { is: 'map', entries: [], position: use.position },
      condition: literal(true),
      step: condition ? call('_?_:_', condition, step, gathered) : step,
      result: gathered,
    };
  };

const toList = gathering('list', ({ position }, value) => {
  const { list, call, gathered } = partsAt(position);
  return call('_+_', gathered, list(value));
});
const toMap = gathering('map', ({ position }, value, names) => {
  const { name, call, gathered } = partsAt(position);
  return call('cel.@mapInsert', gathered, name(names[0] ?? ''), value);
});
const toEntries = gathering('map', ({ position }, value) => {
  const { call, gathered } = partsAt(position);
  return call('cel.@mapInsert', gathered, value);
});

/** One value under a name of its own: a loop that does nothing but give its result. */
function bound(use: Use, variable: string, value: Expression, result: Expression): Comprehension {
  const { list, literal, name } = partsAt(use.position);
  const unused = { variables: ['#unused'], range: list(), condition: literal(false), step: name(variable) };
  return { is: 'comprehension', accumulator: variable, start: value, result, position: use.position, ...unused };
}

function sortBy(use: Use): Expression | Fault {
  const { target, args, position } = use;
  const { name } = partsAt(position);
  const input = '@__sortBy_input__';
  const keys = looping(1, toList)({ target: name(input), args, position });
  if ('says' in keys) return keys;
  const sorted: Expression = {
    is: 'call',
    name: '@sortByAssociatedKeys',
    target: name(input),
    args: [keys],
    position,
  };
  return bound(use, input, target, sorted);
}

/** What becomes of an optional value where it is there. */
const withOptional =
  (wrap: (value: Expression, position: number) => Expression): Macro =>
  (use) => {
    const { target, args, position } = use;
    const [variable, value = target] = args;
    const names = namesOf(variable ? [variable] : []);
    if ('says' in names) return names;
    const { call } = partsAt(position);
    const member = (of: string): Expression => ({ is: 'call', name: of, target, args: [], position });
    const made = bound(use, names[0] ?? '', member('value'), value);
    return call('_?_:_', member('hasValue'), wrap(made, position), call('optional.none'));
  };

const macros: Readonly<Record<string, Macro>> = {
  'all/2': looping(1, all),
  'exists/2': looping(1, exists),
  'exists_one/2': looping(1, existsOne),
  'map/2': looping(1, toList),
  'map/3': looping(1, toList),
  'filter/2': looping(1, filter),
  'all/3': looping(2, all),
  'exists/3': looping(2, exists),
  'exists_one/3': looping(2, existsOne),
  'existsOne/3': looping(2, existsOne),
  'transformList/3': looping(2, toList),
  'transformList/4': looping(2, toList),
  'transformMap/3': looping(2, toMap),
  'transformMap/4': looping(2, toMap),
  'transformMapEntry/3': looping(2, toEntries),
  'transformMapEntry/4': looping(2, toEntries),
  'sortBy/2': sortBy,
  'optMap/2': withOptional((value, position) => partsAt(position).call('optional.of', value)),
  'optFlatMap/2': withOptional((value) => value),
};
