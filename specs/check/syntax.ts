import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { Unreadable } from './unreadable.ts';

/** The part of a syntax tree that is used here. */
export interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether a value is a node of a tree. */
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
/** The line in which a node begins. */
export const lineOf = (node: Node) => node.loc?.start.line ?? 1;

/** Every node below one, parents first. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) if (isNode(item)) yield* nodesOf(item);
    if (isNode(value)) yield* nodesOf(value);
  }
}

/** Whether a path of the project exists. */
export const hasSources = (path: string): boolean => existsSync(join(root, path));

/** The source files of a path: the file itself, or every file below a folder. */
export function sourcesOf(path: string): readonly string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) throw new Unreadable([`${path} is not there`]);
  if (!found.isDirectory()) return [path];
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => `${path}/${name}`);
}

/** The text of a source file. */
export function textOf(file: string): string {
  if (!hasSources(file)) throw new Unreadable([`${file} is not there`]);
  return readFileSync(join(root, file), 'utf8');
}

/** The syntax tree of a source file. */
export const treeOf = (file: string): Node =>
  parse(textOf(file), { sourceType: 'module', plugins: ['typescript'] }) as unknown as Node;

/** The key of a property, if it is a literal. */
export const nameOf = ({ key }: Node): string => {
  if (!isNode(key)) return '';
  const name = key['name'] ?? key['value'];
  return typeof name === 'string' ? name : '';
};
/** The properties of an object literal. */
export const propertiesOf = (node: Node): readonly Node[] =>
  (Array.isArray(node['properties']) ? (node['properties'] as readonly Node[]) : []).filter(isNode);
/** The value of one key of an object literal. */
export const property = (node: Node, name: string): Node | undefined => {
  const value = propertiesOf(node).find((each) => nameOf(each) === name)?.['value'];
  return isNode(value) ? value : undefined;
};

/** An object literal without its TypeScript wrappers; a name is looked up among the constants of the file. */
export function literalOf(node: Node, constants: ReadonlyMap<string, Node>): Node | undefined {
  if (node.type === 'ObjectExpression') return node;
  if (node.type === 'Identifier') {
    const named = constants.get(String(node['name']));
    return named && literalOf(named, constants);
  }
  const inner = node['expression'];
  return isNode(inner) ? literalOf(inner, constants) : undefined;
}

/** The values of the constants of a file, by name. */
export function constantsOf(tree: Node): ReadonlyMap<string, Node> {
  const constants = new Map<string, Node>();
  for (const node of nodesOf(tree)) {
    if (node.type !== 'VariableDeclarator') continue;
    const { id, init } = node;
    if (isNode(id) && isNode(init)) constants.set(String(id['name']), init);
  }
  return constants;
}

/** The keys of an object literal with their lines, including those it spreads. */
export function keysOf(node: Node, constants: ReadonlyMap<string, Node>): readonly (readonly [string, number])[] {
  return propertiesOf(node).flatMap((each) => {
    if (each.type !== 'SpreadElement') return [[nameOf(each), lineOf(each)] as const];
    const spread = isNode(each['argument']) ? literalOf(each['argument'], constants) : undefined;
    return spread ? keysOf(spread, constants) : [];
  });
}
