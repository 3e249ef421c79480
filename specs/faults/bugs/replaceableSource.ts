import { parse } from '@babel/parser';

type Statement = ReturnType<typeof parse>['program']['body'][number];
type Declaration = NonNullable<Extract<Statement, { readonly type: 'ExportNamedDeclaration' }>['declaration']>;

/** One text that is put into a source, or in place of what stands between two positions. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Placed {
  readonly start?: number | null;
  readonly end?: number | null;
}

const placeOf = ({ start, end }: Placed): readonly [number, number] => {
  if (typeof start !== 'number' || typeof end !== 'number') throw new Error('a node of the source has no position');
  return [start, end];
};

const insert = (at: number, text: string): Edit => ({ from: at, to: at, text });

/** `export const f = …` becomes `export const f = replaceable(…)`. */
const aroundValue = (value: Placed): readonly Edit[] => {
  const [from, to] = placeOf(value);
  return [insert(from, '$replaceable('), insert(to, ')')];
};

/** `export function f…` is declared under another name, and what is exported calls it, hoisted like it. */
function aroundFunction(statement: Placed, declaration: Placed, name: Placed & { readonly name: string }) {
  const [exported] = placeOf(statement);
  const [begin, end] = placeOf(declaration);
  const [from, to] = placeOf(name);
  const own = `$own_${name.name}`;
  const wrapper = `export function ${name.name}(...given) { return $callDeclared(${name.name}, ${own}, given); }`;
  return [
    { from: exported, to: begin, text: '' },
    { from, to, text: own },
    insert(end, `\n${wrapper}\n$declared(${name.name}, ${own});\n`),
  ];
}

function editsOf(statement: Statement, declaration: Declaration): readonly Edit[] {
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ init }) => (init ? aroundValue(init) : []));
  if (declaration.type === 'FunctionDeclaration' && declaration.id)
    return aroundFunction(statement, declaration, declaration.id);
  return [];
}

/** The source of a module whose exported functions and constants are wrapped, so that a bug can replace them. */
export function withReplaceable(source: string, planting: string): string {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  const edits = program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration
      ? editsOf(statement, statement.declaration)
      : [],
  );
  const changed = edits
    .toSorted((one, other) => other.from - one.from || other.to - one.to)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), source);
  const names = 'callDeclared as $callDeclared, declared as $declared, replaceable as $replaceable';
  return `import { ${names} } from ${JSON.stringify(planting)};\n${changed}`;
}
