import { typeName } from '../schema/cause.ts';
import { intOrString, microTime, quantity, time } from './extra.ts';
import { readQuantity } from './quantity.ts';

type Read = { readonly value: unknown; readonly why?: undefined } | { readonly why: string };

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a value of one of the types that are no objects; `goType` is that of what holds it. */
export function readPlain(type: string, value: unknown, goType: string | undefined): Read {
  if (type === quantity) return readAmount(value, goType === 'v1.ResourceList');
  if (type === intOrString) return readIntOrString(value);
  if (type === time || type === microTime) return readTime(value, type === time);
  return { value };
}

function readAmount(value: unknown, isResource: boolean): Read {
  if (value === null) return { value: '0' };
  return readQuantity(typeof value === 'number' ? String(value) : value, isResource);
}

function readIntOrString(value: unknown): Read {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) return { value };
  if (typeof value === 'number') return { why: `json: cannot unmarshal number ${value} into Go value of type int32` };
  const word = typeName(value);
  return { why: `json: cannot unmarshal ${word === 'boolean' ? 'bool' : word} into Go value of type int32` };
}

function readTime(value: unknown, whole: boolean): Read {
  if (value === null) return { value: null };
  if (typeof value !== 'string')
    return {
      why: `json: cannot unmarshal ${typeof value === 'boolean' ? 'bool' : typeName(value).replace('integer', 'number')} into Go value of type string`,
    };
  const layout = whole ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  if (timeForm.test(value) && !Number.isNaN(Date.parse(value))) return { value };
  const quoted = JSON.stringify(value);
  return { why: `parsing time ${quoted} as ${JSON.stringify(layout)}: cannot parse ${quoted} as "2006"` };
}
