import { type Json, at, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { duplicate, invalidValue, required } from '../../schema/cause.ts';
import type { Schema } from '../../schema/schema.ts';
import type { Cause } from '../../status.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** A path of names alone, without lists. */
const isSimplePath = (path: string) => /^\.([^.[\]]|\\\.)/.test(path);

function pathFaults(field: string, path: string): readonly Cause[] {
  if (path === '') return [required(field)];
  return path.startsWith('.') && path !== '.'
    ? []
    : [invalidValue(field, path, 'must be a simple json path starting with .')];
}

/** What is wrong with a column of the tables of a kind. */
export function columnFaults(column: unknown, path: string): readonly Cause[] {
  const type = textAt(column, 'type');
  const format = textAt(column, 'format');
  const types = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(textAt(column, 'name') === '' ? [required(`${path}.name`)] : []),
    ...(type === '' ? [required(`${path}.type`, types)] : []),
    ...(type === '' || columnTypes.includes(type) ? [] : [invalidValue(`${path}.type`, type, types)]),
    ...(format === '' || columnFormats.includes(format)
      ? []
      : [invalidValue(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]),
    ...pathFaults(`${path}.JSONPath`, textAt(column, 'jsonPath')),
  ];
}

/** What is wrong with the subresources of a kind. */
export function subresourceFaults(subresources: unknown, path: string): readonly Cause[] {
  const scale = at(subresources, 'scale');
  if (!isJson(scale)) return [];
  return [
    ...replicaFaults(scale, 'spec', `${path}.scale.specReplicasPath`),
    ...replicaFaults(scale, 'status', `${path}.scale.statusReplicasPath`),
  ];
}

function replicaFaults(scale: Json, under: 'spec' | 'status', field: string): readonly Cause[] {
  const path = textAt(scale, `${under}ReplicasPath`);
  const faults = pathFaults(field, path);
  if (faults.length > 0) return faults;
  return path.startsWith(`.${under}.`) ? [] : [invalidValue(field, path, `should be a json path under .${under}`)];
}

/** What is wrong with the fields by which objects of a kind can be selected. */
export function selectableFaults(fields: readonly unknown[], schema: Schema, path: string): readonly Cause[] {
  const paths = fields.map((one) => textAt(one, 'jsonPath'));
  return paths.flatMap((one, index) => {
    const field = `${path}[${index}].jsonPath`;
    if (one === '') return [required(field)];
    const leaf = isSimplePath(one) ? leafAt(schema, one.slice(1).split('.')) : null;
    if (leaf === null) return [invalidValue(field, one, 'is an invalid path: does not refer to a valid field')];
    if (!['boolean', 'integer', 'string'].includes(leaf.type ?? ''))
      return [invalidValue(field, one, 'must point to a field of type string, boolean or integer')];
    return paths.indexOf(one) < index ? [duplicate(field, one)] : [];
  });
}

function leafAt(schema: Schema, [name, ...rest]: readonly string[]): Schema | null {
  if (name === undefined) return schema;
  const below = schema.properties?.[name];
  return below ? leafAt(below, rest) : null;
}

/** What is wrong with the way from one version of a kind to another. */
export function conversionFaults(spec: Json): readonly Cause[] {
  const conversion = jsonAt(spec, 'conversion');
  if (textAt(conversion, 'strategy') !== 'Webhook') return [];
  return [
    ...(isJson(at(conversion, 'webhook', 'clientConfig'))
      ? []
      : [required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook')]),
    ...(listAt(conversion, 'webhook', 'conversionReviewVersions').length === 0
      ? [required('spec.conversion.conversionReviewVersions')]
      : []),
  ];
}
