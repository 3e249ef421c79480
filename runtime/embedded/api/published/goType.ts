import type { Field, Shape } from './definition.ts';

const shortName = (name: string) => name.split('.').slice(-2).join('.');

const plainNames: Readonly<Record<string, string>> = { boolean: 'bool', number: 'float64', string: 'string' };

/** The type of a field as a Go program names it, which is how the API speaks of it. */
export const goTypeOf = ({ goType, shape }: Pick<Field, 'goType' | 'shape'>): string => goType ?? shapeType(shape);

function shapeType(shape: Shape): string {
  switch (shape.is) {
    case 'plain':
      if (shape.format === 'byte') return '[]uint8';
      return shape.type === 'integer' ? (shape.format ?? 'int64') : (plainNames[shape.type] ?? shape.type);
    case 'ref':
      return shortName(shape.name);
    case 'list':
      return `[]${shapeType(shape.of)}`;
    case 'map':
      return `map[string]${shapeType(shape.of)}`;
    case 'any':
      return 'interface {}';
  }
}

/** The type of the items of a list or of the values of a map. */
export const innerType = (goType: string | undefined): string | undefined =>
  goType === 'v1.ResourceList' ? 'resource.Quantity' : goType?.replace(/^(\[\]|map\[[^\]]*\])/, '');
