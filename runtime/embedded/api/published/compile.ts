import { type Definition, type Field, type Model, type ModelField, type Shape, metaV1 } from './definition.ts';
import { extraDefinitions, fieldsV1, intOrString, microTime, quantity, rawExtension, time } from './extra.ts';
import { classNames, enumValues, factsOf, mapTypeOf, packages } from './facts.ts';
import { readModel } from './models.ts';

/** Every published type: the client's models in `dir`, with the facts that these leave out. One line of text for each. */
export function compileDefinitions(dir: string): string {
  const modelled = packages.flatMap((one) =>
    one.types.flatMap((type) => {
      for (const className of classNames(one.name, type)) {
        const model = readModel(dir, className);
        if (model) return [{ packageName: one.name, type, className, model }];
      }
      throw new Error(`the client has no model of ${one.name}.${type}`);
    }),
  );
  const names = new Map(modelled.map(({ className, packageName, type }) => [className, `${packageName}.${type}`]));
  const all = modelled.map(({ packageName, type, model }) => definitionOf({ packageName, type }, model, names));
  return [...all, ...extraDefinitions].map((one) => `${one.name} ${JSON.stringify(one)}\n`).join('');
}

interface TypeName {
  readonly packageName: string;
  readonly type: string;
}
type Names = ReadonlyMap<string, string>;

function definitionOf(of: TypeName, { description, fields }: Model, names: Names): Definition {
  const mapType = mapTypeOf(of.packageName, of.type);
  return {
    name: `${of.packageName}.${of.type}`,
    description,
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    fields: Object.fromEntries(
      fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((field) => [field.name, fieldOf(of, field, names)]),
    ),
    ...(mapType !== undefined && { mapType }),
  };
}

function fieldOf({ packageName, type }: TypeName, field: ModelField, names: Names): Field {
  const facts = factsOf(packageName, type, field.name);
  const [listType, keys] = (facts.list ?? '').split(':');
  const [patchStrategy, patchMergeKey] = (facts.patch ?? '').split(':');
  return {
    shape: shapeOf(field, facts.go ?? '', names),
    description: field.description,
    ...(facts.go !== undefined && { goType: facts.go }),
    ...(facts.default !== undefined && { default: JSON.parse(facts.default) as unknown }),
    ...(facts.enum !== undefined && { enum: enumValues(facts.enum) }),
    ...(listType && { listType }),
    ...(keys && { mapKeys: keys.split(',') }),
    ...(facts.map !== undefined && { mapType: facts.map }),
    ...(patchStrategy && { patchStrategy }),
    ...(patchMergeKey && { patchMergeKey }),
  };
}

const namedByGo: Readonly<Record<string, string>> = {
  'resource.Quantity': quantity,
  'runtime.RawExtension': rawExtension,
  'v1.FieldsV1': fieldsV1,
};
const named: Readonly<Record<string, string>> = { Date: time, V1MicroTime: microTime, IntOrString: intOrString };

/** The shape of a field by its type in the client; what the client calls text may be more by its type in Go. */
function shapeOf({ type, format }: Pick<ModelField, 'type' | 'format'>, goType: string, names: Names): Shape {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list !== undefined)
    return { is: 'list', of: shapeOf({ type: list, format }, goType.replace(/^\[\]/, ''), names) };
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map !== undefined) return { is: 'map', of: shapeOf({ type: map, format }, mapValue(goType), names) };
  const name = namedByGo[goType] ?? named[type] ?? names.get(type);
  if (name !== undefined) return { is: 'ref', name };
  if (type === 'any' || type === 'object') return { is: 'any' };
  if (type === 'number') return { is: 'plain', type: format === 'double' ? 'number' : 'integer', format };
  if (type === 'string' || type === 'boolean') return { is: 'plain', type, ...(format !== '' && { format }) };
  throw new Error(`the type ${type} of the client is unknown; is it of ${metaV1}?`);
}

const mapValue = (goType: string) =>
  goType === 'v1.ResourceList' ? 'resource.Quantity' : goType.replace(/^map\[[^\]]*\]/, '');
