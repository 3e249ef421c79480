/** A type of the Common Expression Language. */
export interface CelType {
  readonly kind: Kind;
  readonly name: string;
  /** The types of what is inside: of items, of keys and values, of what may be there. */
  readonly of: readonly CelType[];
  /** The fields of an object. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

export type Kind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'list'
  | 'map'
  | 'optional'
  | 'object'
  | 'parameter';

const plain = (kind: Kind, name: string = kind): CelType => ({ kind, name, of: [] });

export const dynType = plain('dyn');
export const errorType = plain('error', '!error!');
export const nullType = plain('null');
export const boolType = plain('bool');
export const intType = plain('int');
export const uintType = plain('uint');
export const doubleType = plain('double');
export const stringType = plain('string');
export const bytesType = plain('bytes');
export const timestampType = plain('timestamp');
export const durationType = plain('duration');

/** The types of values that stand in no others, by the names that expressions have for them. */
export const scalarTypes: Readonly<Record<string, CelType>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  int: intType,
  string: stringType,
  uint: uintType,
};

export const listOf = (item: CelType): CelType => ({ kind: 'list', name: 'list', of: [item] });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: 'map', name: 'map', of: [key, value] });
export const optionalOf = (inner: CelType): CelType => ({ kind: 'optional', name: 'optional_type', of: [inner] });
export const typeOf = (inner: CelType): CelType => ({ kind: 'type', name: 'type', of: [inner] });
export const parameter = (name: string): CelType => plain('parameter', name);

/** The type of objects with these fields; two that are made apart are not the same. */
export const objectType = (name: string, fields: ReadonlyMap<string, CelType>): CelType => ({
  kind: 'object',
  name,
  of: [],
  fields,
});

/** The type of values that only functions make and read. */
export const opaqueType = (name: string): CelType => plain('object', name);

/** The item, or the first type that is inside a type. */
export const inner = (type: CelType, index = 0): CelType => type.of[index] ?? dynType;

/** A type as messages name it. */
export const shown = ({ name, of }: CelType): string =>
  of.length === 0 ? name : `${name}(${of.map(shown).join(', ')})`;

/** Whether two types are one and the same. */
export const isSame = (a: CelType, b: CelType): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.name === b.name &&
    a.fields === b.fields &&
    a.of.length === b.of.length &&
    a.of.every((one, index) => isSame(one, inner(b, index))));
