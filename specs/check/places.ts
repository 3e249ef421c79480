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

/** Where each arrow of a machine's file stands, by `<state> <event>`; its states by their names, all of them by ''. */
export function arrowPlaces(file: string): Readonly<Record<string, string>> {
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
 * Where each rule stands, by its id, and each limit by its name: the `id:` of a rule before any other place that writes
 * the same text, and that before a key with a number behind it.
 */
export function rulePlaces(path: string): Readonly<Record<string, string>> {
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

/** A number, or what is reckoned from some. */
const isNumber = ({ type }: Node): boolean => ['NumericLiteral', 'BinaryExpression', 'UnaryExpression'].includes(type);

/** Where the rows of a verdict table stand, in their order: the objects that give a reason and a message. */
export const verdictPlaces = (file: string): readonly string[] =>
  [...nodesOf(treeOf(file))]
    .filter((node) => node.type === 'ObjectExpression' && property(node, 'reason') && nameOf(node) === '')
    .filter((node) => propertiesOf(node).some((each) => nameOf(each) === 'message'))
    .map((node) => `${file}:${lineOf(node)}`);

/** The first line of a file that names something; its first line when none does. */
export function namePlace(file: string, name: string): string {
  const lines = textOf(file).split('\n');
  return `${file}:${lines.findIndex((line) => line.split(/\W+/).includes(name)) + 1 || 1}`;
}

/** Where the arrows and the rules of one lifecycle stand. */
export const placesOf = (files: { readonly machine: string; readonly rules: string }): Places => ({
  arrows: arrowPlaces(files.machine),
  rules: rulePlaces(files.rules),
});
