import { at, numberAt, textAt } from '../json.ts';
import { declaresMore, functions, namespaces } from './functions.ts';
import { behind, opening, positionOf } from './position.ts';
import { objectType } from './types.ts';

export interface Fault {
  readonly says: string;
  /** Where in the expression, from 0. */
  readonly position: number;
}

/** What is known of an error: the node that it is about, and what was said of it. */
interface Known {
  readonly expression: string;
  readonly node: unknown;
  readonly summary: string;
}

/** Why an expression is refused; null for what may be right and is only not known here. */
export function compileFault(expression: string, error: unknown): Fault | null {
  const known = { expression, node: at(error, 'node'), summary: textAt(error, 'summary') };
  if (at(error, 'name') === 'ParseError') return syntaxFault(known, numberAt(error, 'range', 'start'));
  return faults[textAt(error, 'code')]?.(known) ?? null;
}

const undeclared = (name: string, position: number): Fault => ({
  says: `undeclared reference to '${name}' (in container '')`,
  position,
});

const noFields = (type: string) => `type '${typeName(type)}' does not support field selection`;
const noOverload = (name: string, types: string) => `found no matching overload for '${name}' applied to '${types}'`;
const typesOf = (names: readonly unknown[]) => `(${names.map((name) => typeName(String(name))).join(', ')})`;
const checkedType = (node: unknown) => String(at(node, 'checkedType'));

const faults: Readonly<Record<string, (known: Known) => Fault | null>> = {
  unknown_variable: ({ expression, node }) => {
    const name = textAt(node, 'args');
    return namespaces.has(name) || declaresMore.test(expression) ? null : undeclared(name, numberAt(node, 'start'));
  },
  no_such_key: ({ expression, node }) => ({
    says: `undefined field '${textAt(node, 'args', 1)}'`,
    position: behind(expression, node),
  }),
  cannot_index_type: ({ expression, node, summary }) =>
    at(node, 'op') === '.' ? { says: noFields(lastQuoted(summary)), position: behind(expression, node) } : null,
  invalid_index_type: ({ expression, node }) => {
    const [of, by] = [checkedType(at(node, 'args', 0)), checkedType(at(node, 'args', 1))];
    const isField = at(node, 'op') === '.';
    return {
      says: isField ? noFields(of) : noOverload('_[_]', typesOf([of, by])),
      position: behind(expression, node),
    };
  },
  heterogeneous_list_element: mixed,
  heterogeneous_map_key: mixed,
  heterogeneous_map_value: mixed,
  invalid_logical_operand: ({ expression, node, summary }) => {
    const first = ['bool', 'dyn'].includes(checkedType(at(node, 'args', 0))) ? 1 : 0;
    const says = `expected type 'bool' but found '${typeName(lastQuoted(summary))}'`;
    return { says, position: positionOf(expression, at(node, 'args', first)) };
  },
  no_such_overload: operatorFault,
  no_matching_overload: functionFault,
};

function mixed({ expression, node, summary }: Known): Fault {
  const [, expected = '', found = ''] = /expected type '([^']*)' but found '([^']*)'/.exec(summary) ?? [];
  const says = `expected type '${typeName(expected)}' but found '${typeName(found)}'`;
  return { says, position: positionOf(expression, node) };
}

function operatorFault({ expression, node, summary }: Known): Fault | null {
  const [, left = '', operator = '', right = ''] = /^no such overload: (.+) (\S+) (.+)$/.exec(summary) ?? [];
  if (operator === '') {
    const [, sign = '', type = ''] = /^no such overload: ([!-])(.+)$/.exec(summary) ?? [];
    return sign === '' ? null : { says: noOverload(`${sign}_`, typesOf([type])), position: numberAt(node, 'start') };
  }
  // Objects of one type can be compared.
  if (left === right && (operator === '==' || operator === '!=')) return null;
  const name = operator === 'in' ? '@in' : `_${operator}_`;
  return { says: noOverload(name, typesOf([left, right])), position: behind(expression, node) };
}

/** Functions that are known here for every type that they have elsewhere. */
const whole = new Set(['size', 'startsWith', 'endsWith', 'matches']);

function functionFault({ expression, node }: Known): Fault | null {
  const name = textAt(node, 'args', 0);
  const position = opening(expression, node);
  const receiver = at(node, 'op') === 'rcall' ? at(node, 'args', 1) : null;
  if (receiver !== null && at(receiver, 'op') === 'id' && namespaces.has(textAt(receiver, 'args'))) return null;
  if (!functions.has(name)) return undeclared(name, position);
  if (!whole.has(name)) return null;
  const given = at(node, 'args', receiver === null ? 1 : 2);
  const types = typesOf(Array.isArray(given) ? given.map(checkedType) : []);
  const of = receiver === null ? '' : `${typeName(checkedType(receiver))}.`;
  return { says: noOverload(name, `${of}${types}`), position };
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function syntaxFault({ expression, summary }: Known, position: number): Fault {
  if (summary === 'Expected RPAREN, got EOF')
    return { says: "Syntax error: missing ')' at '<EOF>'", position: expression.length };
  if (summary.endsWith('EOF'))
    return { says: `Syntax error: mismatched input '<EOF>' expecting ${beginnings}`, position: expression.length };
  return { says: `Syntax error: ${summary}`, position };
}

const lastQuoted = (summary: string) => /'([^']*)'$/.exec(summary)?.[1] ?? '';

/** The name of a type as the compiler of the API server writes it. */
const typeName = (name: string): string =>
  name
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration')
    .replace(new RegExp(`${objectType}\\d+`, 'g'), 'object');
