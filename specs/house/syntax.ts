import { parse } from '@babel/parser';

/** The part of a syntax tree that is used here. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

/** Where a name that a file imports comes from. */
export interface Imported {
  readonly from: string;
  readonly name: string;
}

/** The syntax tree of a file, each node with the one that it stands in. */
export interface Tree {
  readonly nodes: readonly Node[];
  readonly parentOf: (node: Node) => Node | undefined;
  readonly imports: ReadonlyMap<string, Imported>;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
export const nodeAt = (node: Node | undefined, key: string): Node | undefined => {
  const value = node?.[key];
  return isNode(value) ? value : undefined;
};
export const nodesAt = (node: Node | undefined, key: string): readonly Node[] => {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
};
export const textAt = (node: Node | undefined, key: string): string => {
  const value = node?.[key];
  return typeof value === 'string' ? value : '';
};

export function treeOf(code: string): Tree {
  const program = parse(code, { sourceType: 'module', plugins: ['typescript'] }).program as unknown as Node;
  const parents = new Map<Node, Node>();
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    for (const value of Object.values(node))
      for (const inner of Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []) {
        parents.set(inner, node);
        visit(inner);
      }
  };
  visit(program);
  return { nodes, parentOf: (node) => parents.get(node), imports: importsIn(program) };
}

function importsIn(program: Node): ReadonlyMap<string, Imported> {
  const declarations = nodesAt(program, 'body').filter(({ type }) => type === 'ImportDeclaration');
  return new Map(
    declarations.flatMap((declaration) =>
      nodesAt(declaration, 'specifiers').map((one) => {
        const name = textAt(nodeAt(one, 'imported'), 'name') || '*';
        return [textAt(nodeAt(one, 'local'), 'name'), { from: textAt(nodeAt(declaration, 'source'), 'value'), name }];
      }),
    ),
  );
}

/** The name at the beginning of an expression: `socket` of `socket.once(…).on(…)`. */
export function rootOf(node: Node | undefined): string {
  if (node?.type === 'Identifier') return textAt(node, 'name');
  const inner = nodeAt(node, 'callee') ?? nodeAt(node, 'object') ?? nodeAt(node, 'expression');
  return inner ? rootOf(inner) : '';
}

/** The name that a call is made by: `on` of `socket.on(…)`. */
export function calledName(call: Node): string {
  const callee = nodeAt(call, 'callee');
  return textAt(callee, 'name') || textAt(nodeAt(callee, 'property'), 'name');
}
