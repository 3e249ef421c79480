import { deepest, mostValues, tooManyValues } from '../shape.ts';
import { type Json, isJson, setField } from '../json.ts';
import { readJson } from '../jsonText.ts';
import { badRequest } from '../status.ts';
import { type FieldShape, type FieldType, messageOf, messageShape } from './messages.ts';
import { type Count, type Field, Malformed, fieldsIn } from './reader.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';
const magic = Buffer.from('k8s\0');

/** An object of a built-in kind in the protobuf form that kubectl sends it in. */
export function decodeObject(body: Buffer): Json {
  try {
    return decodeEnvelope(body, counter());
  } catch (why) {
    if (why instanceof Malformed) throw badRequest(`the body of the request is not protobuf: ${why.message}`);
    throw why;
  }
}

function counter(): Count {
  let values = 0;
  return () => {
    values += 1;
    if (values > mostValues) throw tooManyValues();
  };
}

function decodeEnvelope(body: Buffer, count: Count): Json {
  if (!body.subarray(0, magic.length).equals(magic)) throw new Malformed('it does not begin with k8s');
  const parts = new Map([...fieldsIn(body.subarray(magic.length), count)].map((field) => [field.number, field.value]));
  const [typeMeta, raw] = [parts.get(1), parts.get(2)];
  if (!Buffer.isBuffer(typeMeta) || !Buffer.isBuffer(raw)) throw new Malformed('it has no object');
  const [apiVersion = '', kind = ''] = [...fieldsIn(typeMeta, count)].map(({ value }) => value.toString());
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const message = messageOf(group, version, kind) ?? messageOf('', version, kind);
  if (message === null) throw badRequest(`${kind} of ${apiVersion} is not taken as protobuf; send it as JSON`);
  return { apiVersion, kind, ...decodeMessage(raw, message, { count, depth: 1 }) };
}

/** What was read so far, and how deep in messages the reader is. */
interface Reading {
  readonly count: Count;
  readonly depth: number;
}

function decodeMessage(bytes: Buffer, name: string, { count, depth }: Reading): Json {
  if (depth > deepest) throw new Malformed('it is nested too deep');
  const shape = messageShape(name);
  const object: Record<string, unknown> = {};
  for (const field of fieldsIn(bytes, count)) {
    const known = shape?.get(field.number);
    if (known) put(object, known, field, { count, depth: depth + 1 });
  }
  return object;
}

function put(object: Record<string, unknown>, shape: FieldShape, field: Field, reading: Reading): void {
  const { json, type, shown } = shape;
  if (type.is === 'list') listIn(object, json).push(valueOf(field, type.of, reading));
  else if (type.is === 'map') putEntry(mapIn(object, json), field, type.of, reading);
  else {
    const value = valueOf(field, type, reading);
    if (json === '') Object.assign(object, value);
    else if (shown === 'given' || (shown === 'always' && value !== null) || !isEmpty(value)) object[json] = value;
  }
}

/** The list of a field, begun with its first item; the items of one field need not stand together. */
function listIn(object: Record<string, unknown>, field: string): unknown[] {
  const found = object[field];
  const list: unknown[] = Array.isArray(found) ? found : [];
  object[field] = list;
  return list;
}

function mapIn(object: Record<string, unknown>, field: string): Record<string, unknown> {
  const found = object[field];
  const map: Record<string, unknown> = isJson(found) ? found : {};
  object[field] = map;
  return map;
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (isJson(value) && Object.keys(value).length === 0);

function putEntry(map: Record<string, unknown>, field: Field, type: FieldType, reading: Reading): void {
  if (field.kind !== 'bytes') throw new Malformed('a map entry is no message');
  let key = '';
  let value: unknown = '';
  for (const part of fieldsIn(field.value, reading.count)) {
    if (part.number === 1) key = part.value.toString();
    if (part.number === 2) value = valueOf(part, type, reading);
  }
  setField(map, key, value);
}

function valueOf(field: Field, type: FieldType, reading: Reading): unknown {
  if ('of' in type) throw new Malformed('a list in a list');
  if (field.kind === 'bytes') {
    const decode = ofBytes.get(type.name);
    return decode ? decode(field.value, reading.count) : decodeMessage(field.value, type.name, reading);
  }
  if (field.kind === 'fixed64') return field.value;
  return type.name === 'bool' ? field.value !== 0n : Number(BigInt.asIntN(64, field.value));
}

const ofBytes: ReadonlyMap<string, (bytes: Buffer, count: Count) => unknown> = new Map([
  ['string', (bytes) => bytes.toString()],
  ['bytes', (bytes) => bytes.toString('base64')],
  ['Time', (bytes, count) => time(bytes, count)?.replace(/\.\d+Z$/, 'Z') ?? null],
  ['MicroTime', (bytes, count) => time(bytes, count)?.replace(/Z$/, '000Z') ?? null],
  ['Quantity', (bytes, count) => partsOf(bytes, count).get(1)?.toString() ?? '0'],
  ['IntOrString', intOrString],
  ['FieldsV1', fieldsV1],
]);

const partsOf = (bytes: Buffer, count: Count): ReadonlyMap<number, Field['value']> =>
  new Map([...fieldsIn(bytes, count)].toReversed().map(({ number, value }) => [number, value]));

function intOrString(bytes: Buffer, count: Count): number | string {
  const parts = partsOf(bytes, count);
  if (parts.get(1) === 1n) return parts.get(3)?.toString() ?? '';
  return Number(BigInt.asIntN(64, wholeNumber(parts.get(2))));
}

function wholeNumber(value: Field['value'] = 0n): bigint {
  if (typeof value !== 'bigint') throw new Malformed('a number is none');
  return value;
}

function fieldsV1(bytes: Buffer, count: Count): unknown {
  const read = readJson(partsOf(bytes, count).get(1)?.toString() || '{}');
  if (read.why !== undefined) throw new Malformed(read.why);
  return read.value;
}

/** Seconds and nanoseconds since the epoch; null for none. */
function time(bytes: Buffer, count: Count): string | null {
  const parts = partsOf(bytes, count);
  const seconds = Number(wholeNumber(parts.get(1)));
  if (bytes.length === 0 || seconds < -62_000_000_000) return null;
  const at = new Date(seconds * 1000 + Number(wholeNumber(parts.get(2))) / 1e6);
  if (Number.isNaN(at.getTime())) throw new Malformed('a time is none');
  return at.toISOString();
}
