import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import type { Places } from './outcome.ts';

/** As much of a syntax tree as is looked at here. */
interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const lineOf = (node: Node) => node.loc?.start.line ?? 1;

/** Every node below one, parents first. */
function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) if (isNode(item)) yield* nodesOf(item);
    if (isNode(value)) yield* nodesOf(value);
  }
}

/** The source files of a path: itself, or every one below a folder. */
function sourcesOf(path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => `${path}/${name}`);
}

const treeOf = (file: string): Node =>
  parse(readFileSync(join(root, file), 'utf8'), { sourceType: 'module', plugins: ['typescript'] }) as unknown as Node;

const nameOf = ({ key }: Node): string => {
  if (!isNode(key)) return '';
  const name = key['name'] ?? key['value'];
  return typeof name === 'string' ? name : '';
};
const propertiesOf = (node: Node): readonly Node[] =>
  (Array.isArray(node['properties']) ? (node['properties'] as readonly Node[]) : []).filter(isNode);
const property = (node: Node, name: string): Node | undefined => {
  const value = propertiesOf(node).find((each) => nameOf(each) === name)?.['value'];
  return isNode(value) ? value : undefined;
};

/** An object literal without what TypeScript wraps around it; a name is looked up among the constants of the file. */
function literalOf(node: Node, constants: ReadonlyMap<string, Node>): Node | undefined {
  if (node.type === 'ObjectExpression') return node;
  if (node.type === 'Identifier') {
    const named = constants.get(String(node['name']));
    return named && literalOf(named, constants);
  }
  const inner = node['expression'];
  return isNode(inner) ? literalOf(inner, constants) : undefined;
}

function constantsOf(tree: Node): ReadonlyMap<string, Node> {
  const constants = new Map<string, Node>();
  for (const node of nodesOf(tree)) {
    if (node.type !== 'VariableDeclarator') continue;
    const { id, init } = node;
    if (isNode(id) && isNode(init)) constants.set(String(id['name']), init);
  }
  return constants;
}

/** The keys of an object literal with their lines, what it spreads included. */
function keysOf(node: Node, constants: ReadonlyMap<string, Node>): readonly (readonly [string, number])[] {
  return propertiesOf(node).flatMap((each) => {
    if (each.type !== 'SpreadElement') return [[nameOf(each), lineOf(each)] as const];
    const spread = isNode(each['argument']) ? literalOf(each['argument'], constants) : undefined;
    return spread ? keysOf(spread, constants) : [];
  });
}

/** Where each arrow of a machine's file stands, by `<state> <event>`. */
export function arrowPlaces(file: string): Readonly<Record<string, string>> {
  const tree = treeOf(file);
  const constants = constantsOf(tree);
  const places: Record<string, string> = {};
  for (const node of nodesOf(tree)) {
    const states = node.type === 'ObjectExpression' ? property(node, 'states') : undefined;
    const literal = states && literalOf(states, constants);
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

/** Where each rule stands, by its id: the `id:` of a rule before any other place that writes the same text. */
export function rulePlaces(path: string): Readonly<Record<string, string>> {
  const written: Record<string, string> = {};
  const named: Record<string, string> = {};
  for (const file of sourcesOf(path))
    for (const node of nodesOf(treeOf(file))) {
      const at = `${file}:${lineOf(node)}`;
      if (node.type === 'StringLiteral') written[String(node['value'])] ??= at;
      const value = node['value'];
      if (node.type === 'ObjectProperty' && nameOf(node) === 'id' && isNode(value) && value.type === 'StringLiteral')
        named[String(value['value'])] ??= at;
    }
  return { ...written, ...named };
}

/** Where the rows of a verdict table stand, in their order: the objects that give a reason and a message. */
export const verdictPlaces = (file: string): readonly string[] =>
  [...nodesOf(treeOf(file))]
    .filter((node) => node.type === 'ObjectExpression' && property(node, 'reason') && nameOf(node) === '')
    .filter((node) => propertiesOf(node).some((each) => nameOf(each) === 'message'))
    .map((node) => `${file}:${lineOf(node)}`);

/** Where the arrows and the rules of one lifecycle stand. */
export const placesOf = (files: { readonly machine: string; readonly rules: string }): Places => ({
  arrows: arrowPlaces(files.machine),
  rules: rulePlaces(files.rules),
});
