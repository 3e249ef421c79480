import type { TSchema } from '@sinclair/typebox';

/** The schema of a CustomResourceDefinition: the structural subset of OpenAPI v3. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A condition in CEL; `fieldPath` is where the error is reported, relative to the rule. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
}

interface Source extends Omit<Schema, 'properties' | 'items'> {
  readonly properties?: Readonly<Record<string, Source>>;
  readonly items?: Source;
  readonly patternProperties?: Readonly<Record<string, Source>>;
}

/** Caches converted schemas, because rules need those of the kinds in every pass. */
const structurals = new WeakMap<TSchema, Schema>();

/** The structural schema of a TypeBox schema, without its symbols. */
export function structural(schema: TSchema): Schema {
  const known = structurals.get(schema) ?? convert(schema);
  structurals.set(schema, known);
  return known;
}

function convert({ properties = {}, items, patternProperties, required, ...rest }: Source): Schema {
  const values = Object.values(patternProperties ?? {})[0];
  // A cluster validates a default before it fills in the defaults inside it, so a field with a default cannot be
  // required.
  const asked = required?.filter((name) => properties[name]?.default === undefined) ?? [];
  return {
    ...withoutSymbols(rest),
    ...(asked.length > 0 && { required: asked }),
    // An API server drops an empty map, and kubectl would send it with every apply.
    ...(Object.keys(properties).length > 0 && { properties: mapValues(properties, convert) }),
    ...(items && { items: convert(items) }),
    ...(values && { additionalProperties: convert(values) }),
  };
}

const withoutSymbols = <T extends object>(object: T): T => Object.fromEntries(Object.entries(object)) as T;

export const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
