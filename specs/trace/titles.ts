import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from '@babel/parser';
import { idsIn } from './ids.ts';
import { readKept } from './keptTitles.ts';

/** Where a test stands and what it is called; null where a part of the title is known only when it runs. */
export interface Title {
  readonly file: string;
  readonly line: number;
  readonly parts: readonly (string | null)[];
  readonly ids: readonly string[];
}

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}
type Parts = Title['parts'];
type Constants = ReadonlyMap<string, Node>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** A node with all that it contains, in the order of the text. */
function nodesOf(node: Node, into: Node[] = []): readonly Node[] {
  into.push(node);
  for (const value of Object.values(node))
    if (isNode(value)) nodesOf(value, into);
    else if (Array.isArray(value)) for (const inner of value) if (isNode(inner)) nodesOf(inner, into);
  return into;
}

/** The name a call is made by: `spec` of `spec(…)`, of `spec.skip(…)` and of `spec(…)(…)`. */
function calledAs({ callee, object, type, name }: Node): string {
  if (type === 'Identifier') return String(name);
  const inner = callee ?? object;
  return isNode(inner) ? calledAs(inner) : '';
}

/** The text of an expression, names looked up among the constants of the file. */
function partsOf(node: Node, constants: Constants): Parts {
  if (node.type === 'StringLiteral') return [String(node['value'])];
  if (node.type === 'BinaryExpression' && node['operator'] === '+')
    return [node['left'], node['right']].flatMap((side) => (isNode(side) ? partsOf(side, constants) : [null]));
  if (node.type === 'TemplateLiteral') {
    const holes = listOf(node['expressions']);
    return listOf(node['quasis']).flatMap(({ value }, at) => {
      const hole = holes[at];
      return [(value as { readonly cooked: string }).cooked, ...(hole ? partsOf(hole, constants) : [])];
    });
  }
  const constant = node.type === 'Identifier' ? constants.get(String(node['name'])) : undefined;
  return constant ? partsOf(constant, constants) : [null];
}

/** Constants of the file's own level: what is declared further in may be another thing of the same name. */
const constantsOf = (program: Node): Constants =>
  new Map(
    listOf(program['body'])
      .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'const')
      .flatMap(({ declarations }) => listOf(declarations))
      .flatMap(({ id, init }) => (isNode(id) && isNode(init) ? [[String(id['name']), init] as const] : [])),
  );

const makers: ReadonlySet<string> = new Set(['suite', 'unless']);
const makesTests = (init: Node): boolean => makers.has(calledAs(init));

/** The name of a suite within a function: declared there, or given as what `unless` returns. */
function innerSuite({ type, id, init, name, typeAnnotation }: Node): readonly string[] {
  if (type === 'VariableDeclarator' && isNode(id) && isNode(init) && makesTests(init)) return [String(id['name'])];
  if (type !== 'Identifier' || !isNode(typeAnnotation)) return [];
  const isSuite = nodesOf(typeAnnotation).some(
    ({ type: inner, exprName }) => inner === 'TSTypeQuery' && isNode(exprName) && makesTests(exprName),
  );
  return isSuite ? [String(name)] : [];
}

/** Every test of a spec, by its text: the first word of a call to a suite, or to what `unless` made of one. */
export function titlesIn(text: string, file: string): readonly Title[] {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript', 'jsx'] });
  const tree = program as unknown as Node;
  const constants = constantsOf(tree);
  const suites = new Set([...constants].filter(([, init]) => makesTests(init)).map(([name]) => name));
  const nodes = nodesOf(tree);
  const inner = new Set(nodes.flatMap(innerSuite));
  const isTest = ({ type, callee }: Node) =>
    type === 'CallExpression' &&
    isNode(callee) &&
    (suites.has(calledAs(callee)) || inner.has(calledAs(callee)) || isUnless(callee));
  return nodes.filter(isTest).flatMap((node): readonly Title[] => {
    const [title, test] = listOf(node['arguments']);
    if (!title || !test) return [];
    const parts = partsOf(title, constants);
    // Elsewhere in the file the same name may be that of any function.
    const isSure = suites.has(calledAs(node)) || isUnless(node['callee'] as Node);
    if (!isSure && parts.every((part) => part === null)) return [];
    return [{ file, line: node.loc?.start.line ?? 1, parts, ids: idsIn(parts.map((part) => part ?? ' ').join('')) }];
  });
}

/** `unless(spec, why)(…)`. */
const isUnless = ({ type, callee }: Node) =>
  type === 'CallExpression' && isNode(callee) && callee.type === 'Identifier' && callee['name'] === 'unless';

/** Every test of every spec below a root. */
export function readTitles(root: string): readonly Title[] {
  const files = readdirSync(join(root, 'specs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.spec\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')] as const);
  return readKept(files, titlesIn).flat();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** How much of a title that ran is known from this source; -1 when it cannot come from here. */
export function likenessTo({ parts }: Title): (title: string) => number {
  const pattern = new RegExp(`^${parts.map((part) => (part === null ? '[^]*' : escaped(part))).join('')}$`);
  const known = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  return (title) => (pattern.test(title) ? known : -1);
}
