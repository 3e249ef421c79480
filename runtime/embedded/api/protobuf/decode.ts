import { type Json, isJson } from '../json.ts';
import { badRequest } from '../status.ts';
import { type FieldShape, type FieldType, messageOf, messageShape } from './messages.ts';
import { type Field, Malformed, fieldsIn } from './reader.ts';

export const protobufType = 'application/vnd.kubernetes.protobuf';
const magic = Buffer.from('k8s\0');

/** An object of a built-in kind in the protobuf form that kubectl sends it in. */
export function decodeObject(body: Buffer): Json {
  try {
    return decodeEnvelope(body);
  } catch (why) {
    if (why instanceof Malformed) throw badRequest(`the body of the request is not protobuf: ${why.message}`);
    throw why;
  }
}

function decodeEnvelope(body: Buffer): Json {
  if (!body.subarray(0, magic.length).equals(magic)) throw new Malformed('it does not begin with k8s');
  const parts = new Map([...fieldsIn(body.subarray(magic.length))].map((field) => [field.number, field.value]));
  const [typeMeta, raw] = [parts.get(1), parts.get(2)];
  if (!Buffer.isBuffer(typeMeta) || !Buffer.isBuffer(raw)) throw new Malformed('it has no object');
  const [apiVersion = '', kind = ''] = [...fieldsIn(typeMeta)].map(({ value }) => value.toString());
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const message = messageOf(group, version, kind) ?? messageOf('', version, kind);
  if (message === null) throw badRequest(`${kind} of ${apiVersion} is not taken as protobuf; send it as JSON`);
  return { apiVersion, kind, ...decodeMessage(raw, message) };
}

function decodeMessage(bytes: Buffer, name: string): Json {
  const shape = messageShape(name);
  const object: Record<string, unknown> = {};
  for (const field of fieldsIn(bytes)) {
    const known = shape?.get(field.number);
    if (known) put(object, known, field);
  }
  return object;
}

function put(object: Record<string, unknown>, { json, type, shown }: FieldShape, field: Field): void {
  if (type.is === 'list') {
    const before = object[json];
    object[json] = [...(Array.isArray(before) ? (before as readonly unknown[]) : []), valueOf(field, type.of)];
  } else if (type.is === 'map') {
    const before = object[json];
    object[json] = { ...(isJson(before) ? before : {}), ...mapEntry(field, type.of) };
  } else {
    const value = valueOf(field, type);
    if (json === '') Object.assign(object, value);
    else if (shown === 'given' || (shown === 'always' && value !== null) || !isEmpty(value)) object[json] = value;
  }
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (isJson(value) && Object.keys(value).length === 0);

function mapEntry(field: Field, type: FieldType): Json {
  if (field.kind !== 'bytes') throw new Malformed('a map entry is no message');
  let key = '';
  let value: unknown = '';
  for (const part of fieldsIn(field.value)) {
    if (part.number === 1) key = part.value.toString();
    if (part.number === 2) value = valueOf(part, type);
  }
  return { [key]: value };
}

function valueOf(field: Field, type: FieldType): unknown {
  if ('of' in type) throw new Malformed('a list in a list');
  if (field.kind === 'bytes') {
    const decode = ofBytes[type.name];
    return decode ? decode(field.value) : decodeMessage(field.value, type.name);
  }
  if (field.kind === 'fixed64') return field.value;
  return type.name === 'bool' ? field.value !== 0n : Number(BigInt.asIntN(64, field.value));
}

const ofBytes: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  string: (bytes) => bytes.toString(),
  bytes: (bytes) => bytes.toString('base64'),
  Time: (bytes) => time(bytes)?.replace(/\.\d+Z$/, 'Z') ?? null,
  MicroTime: (bytes) => time(bytes)?.replace(/Z$/, '000Z') ?? null,
  Quantity: (bytes) => part(bytes, 1)?.toString() ?? '0',
  IntOrString: (bytes) =>
    part(bytes, 1) === 1n
      ? (part(bytes, 3)?.toString() ?? '')
      : Number(BigInt.asIntN(64, BigInt(String(part(bytes, 2) ?? 0)))),
  FieldsV1: (bytes) => JSON.parse(part(bytes, 1)?.toString() || '{}') as unknown,
};

const part = (bytes: Buffer, number: number) => [...fieldsIn(bytes)].find((field) => field.number === number)?.value;

/** Seconds and nanoseconds since the epoch; null for none. */
function time(bytes: Buffer): string | null {
  const seconds = Number(part(bytes, 1) ?? 0);
  if (bytes.length === 0 || seconds < -62_000_000_000) return null;
  return new Date(seconds * 1000 + Number(part(bytes, 2) ?? 0) / 1e6).toISOString();
}
