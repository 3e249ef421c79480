import {
  constantsOf,
  hasSources,
  isNode,
  keysOf,
  lineOf,
  literalOf,
  nameOf,
  type Node,
  nodesOf,
  sourcesOf,
  treeOf,
} from './syntax.ts';

/** A part of a lifecycle's model: its invariants, actions or ensures. */
export type ModelPart = 'invariants' | 'does' | 'ensures';

/** The place of a name in a lifecycle's model: its line, otherwise that of the part it belongs to. */
export function modelPlace(lifecycle: string, part: ModelPart, name: string): string {
  const folder = `specs/lifecycles/${lifecycle}`;
  const files = [...(hasSources(folder) ? sourcesOf(folder) : []), `${folder}.ts`];
  const parts = files.flatMap((file) => partsIn(file, part));
  const [line] = parts.flatMap(({ file, keys }) =>
    keys.filter(([key]) => key === name).map(([, at]) => `${file}:${at}`),
  );
  const [near] = parts.map(({ file, line: at }) => `${file}:${at}`);
  return line ?? near ?? `${folder}.ts:1`;
}

interface Part {
  readonly file: string;
  readonly line: number;
  readonly keys: readonly (readonly [string, number])[];
}

/** The object literals of a file that are parts of a model, by a property or a constant of that name. */
function partsIn(file: string, part: ModelPart): readonly Part[] {
  const tree = treeOf(file);
  const constants = constantsOf(tree);
  return [...nodesOf(tree)].flatMap((node) => {
    const value = valueNamed(node, part);
    const literal = value && literalOf(value, constants);
    return literal ? [{ file, line: lineOf(literal), keys: keysOf(literal, constants) }] : [];
  });
}

function valueNamed(node: Node, name: string): Node | undefined {
  const { id, init, value } = node;
  if (node.type === 'VariableDeclarator') return isNode(id) && id['name'] === name && isNode(init) ? init : undefined;
  return node.type === 'ObjectProperty' && nameOf(node) === name && isNode(value) ? value : undefined;
}
