import type { Places } from './outcome.ts';
import {
  constantsOf,
  isNode,
  keysOf,
  lineOf,
  literalOf,
  nameOf,
  type Node,
  nodesOf,
  propertiesOf,
  property,
  sourcesOf,
  textOf,
  treeOf,
} from './syntax.ts';

/** The places of the arrows in a machine's file, by `<state> <event>`; of the states by name; of all states by ''. */
function arrowPlaces(file: string): Readonly<Record<string, string>> {
  const tree = treeOf(file);
  const constants = constantsOf(tree);
  const places: Record<string, string> = {};
  for (const node of nodesOf(tree)) {
    const states = node.type === 'ObjectExpression' ? property(node, 'states') : undefined;
    const literal = states && literalOf(states, constants);
    if (literal) places[''] ??= `${file}:${lineOf(literal)}`;
    for (const state of literal ? propertiesOf(literal) : []) {
      const name = nameOf(state);
      places[name] = `${file}:${lineOf(state)}`;
      const body = isNode(state['value']) ? literalOf(state['value'], constants) : undefined;
      const on = body && property(body, 'on');
      const arrows = on && literalOf(on, constants);
      for (const [event, line] of arrows ? keysOf(arrows, constants) : [])
        places[`${name} ${event}`] = `${file}:${line}`;
    }
  }
  return places;
}

/**
 * The places of the rules, by id, and of the limits, by name. The `id:` of a rule takes precedence over any other place
 * with the same text, and that over a key with a number as its value.
 */
function rulePlaces(path: string): Readonly<Record<string, string>> {
  const written: Record<string, string> = {};
  const named: Record<string, string> = {};
  const numbered: Record<string, string> = {};
  for (const file of sourcesOf(path))
    for (const node of nodesOf(treeOf(file))) {
      const at = `${file}:${lineOf(node)}`;
      if (node.type === 'StringLiteral') written[String(node['value'])] ??= at;
      const value = node['value'];
      if (node.type === 'ObjectProperty' && nameOf(node) === 'id' && isNode(value) && value.type === 'StringLiteral')
        named[String(value['value'])] ??= at;
      if (node.type === 'ObjectProperty' && isNode(value) && isNumber(value)) numbered[nameOf(node)] ??= at;
    }
  return { ...numbered, ...written, ...named };
}

/** A number, or an arithmetic expression. */
const isNumber = ({ type }: Node): boolean => ['NumericLiteral', 'BinaryExpression', 'UnaryExpression'].includes(type);

/** The places of the rows of a verdict table, in order: the objects with a reason and a message. */
export const verdictPlaces = (file: string): readonly string[] =>
  [...nodesOf(treeOf(file))]
    .filter((node) => node.type === 'ObjectExpression' && property(node, 'reason') && nameOf(node) === '')
    .filter((node) => propertiesOf(node).some((each) => nameOf(each) === 'message'))
    .map((node) => `${file}:${lineOf(node)}`);

/** The first line of a file that names something; otherwise its first line. */
export function namePlace(file: string, name: string): string {
  const lines = textOf(file).split('\n');
  return `${file}:${lines.findIndex((line) => line.split(/\W+/).includes(name)) + 1 || 1}`;
}

/** The places of the arrows and rules of one lifecycle. */
export const placesOf = (files: { readonly machine: string; readonly rules: string }): Places => ({
  arrows: arrowPlaces(files.machine),
  rules: rulePlaces(files.rules),
});
