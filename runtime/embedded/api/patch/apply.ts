import { type Call, isTrue } from '../call.ts';
import { type Json, isJson, jsonAt, listAt, same, textAt, without } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError, badRequest } from '../status.ts';
import { timestamp } from '../store/objects.ts';
import { type FieldSet, fieldsOf, itemName, listKind, members, rootSchema, schemaBelow } from './fields.ts';
import type { Patch } from './patch.ts';

/** Server-side apply: fields given are set, those the same manager gave before and no longer gives are removed. */
export function applyPatch(call: Call, wanted: Json): Patch {
  const manager = call.query.get('fieldManager') ?? '';
  if (manager === '')
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  const schema = rootSchema(call.type);
  const owned = ownedBy(wanted, schema);
  return {
    create: () => withManager(wanted, call, manager, owned),
    apply(now) {
      const before = fieldsOfManager(now, manager, call.subresource);
      const others = managersBeside(now, manager, call.subresource);
      if (!isTrue(call.query.get('force'))) refuseConflicts(now, wanted, schema, others);
      const claims = { before, after: owned, others: others.map(({ fields }) => fields) };
      const kept = jsonAt(removeGone(now, claims, schema, ''));
      return withManager(jsonAt(merge(kept, wanted, schema, '')), call, manager, owned);
    },
  };
}

/** What names an object is nobody's. */
function ownedBy(wanted: Json, schema: Schema | null): FieldSet {
  const metadata = without(jsonAt(wanted, 'metadata'), 'name', 'namespace', 'uid', 'resourceVersion', 'managedFields');
  const rest = without(wanted, 'apiVersion', 'kind', 'metadata');
  return fieldsOf({ ...(Object.keys(metadata).length > 0 && { metadata }), ...rest }, schema);
}

interface Manager {
  readonly name: string;
  readonly fields: FieldSet;
}

const entries = (object: Json) => listAt(object, 'metadata', 'managedFields').filter(isJson);
const isOf = (entry: Json, manager: string, subresource: string | null) =>
  entry['manager'] === manager &&
  entry['operation'] === 'Apply' &&
  textAt(entry, 'subresource') === (subresource ?? '');

const fieldsOfManager = (object: Json, manager: string, subresource: string | null): FieldSet =>
  jsonAt(
    entries(object).find((entry) => isOf(entry, manager, subresource)),
    'fieldsV1',
  );

const managersBeside = (object: Json, manager: string, subresource: string | null): readonly Manager[] =>
  entries(object)
    .filter((entry) => !isOf(entry, manager, subresource))
    .map((entry) => ({ name: textAt(entry, 'manager'), fields: jsonAt(entry, 'fieldsV1') }));

function withManager(object: Json, { subresource }: Call, manager: string, fields: FieldSet): Json {
  const entry = {
    manager,
    operation: 'Apply',
    apiVersion: object['apiVersion'],
    time: timestamp(),
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource !== null && { subresource }),
  };
  const before = entries(object).find((one) => isOf(one, manager, subresource));
  const unchanged = before && same(before['fieldsV1'], fields) ? before : entry;
  const managedFields = [...entries(object).filter((one) => one !== before), unchanged];
  return { ...object, metadata: { ...jsonAt(object, 'metadata'), managedFields } };
}

function merge(now: unknown, wanted: unknown, schema: Schema | null, field: string): unknown {
  if (isJson(wanted)) {
    const base = isJson(now) ? now : {};
    const merged = Object.entries(wanted).map(
      ([name, value]) => [name, merge(base[name], value, schemaBelow(schema, name), name)] as const,
    );
    return { ...base, ...Object.fromEntries(merged) };
  }
  if (!Array.isArray(wanted) || !Array.isArray(now)) return wanted;
  const kind = listKind(schema, field, wanted);
  if (kind.by === 'nothing') return wanted;
  const known = new Map(wanted.map((item) => [itemName(kind, item), item as unknown]));
  const merged = now.map((item) => merge(item, known.get(itemName(kind, item)) ?? item, schema?.items ?? null, ''));
  const present = new Set(now.map((item) => itemName(kind, item)));
  return [...merged, ...wanted.filter((item) => !present.has(itemName(kind, item)))];
}

/** Who sets what of a value: a manager before and after, and everybody else. */
interface Claims {
  readonly before: FieldSet;
  readonly after: FieldSet;
  readonly others: readonly FieldSet[];
}

const claimsBelow = ({ before, after, others }: Claims, name: string): Claims => ({
  before: jsonAt(before, name),
  after: jsonAt(after, name),
  others: others.map((set) => jsonAt(set, name)),
});

/** Takes out what the manager set before and does not set now, unless somebody else set it too. */
function removeGone(value: unknown, claims: Claims, schema: Schema | null, field: string): unknown {
  const { before, after, others } = claims;
  const isGone = (name: string) => name in before && !(name in after) && others.every((set) => !(name in set));
  const below = (name: string, inner: unknown, innerSchema: Schema | null, innerField: string) =>
    name in before ? removeGone(inner, claimsBelow(claims, name), innerSchema, innerField) : inner;
  if (isJson(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !isGone(`f:${name}`))
        .map(([name, inner]) => [name, below(`f:${name}`, inner, schemaBelow(schema, name), name)]),
    );
  if (!Array.isArray(value)) return value;
  const kind = listKind(schema, field, value);
  if (kind.by === 'nothing') return value;
  return value
    .filter((item) => !isGone(itemName(kind, item)))
    .map((item) => below(itemName(kind, item), item, schema?.items ?? null, ''));
}

function refuseConflicts(now: Json, wanted: Json, schema: Schema | null, others: readonly Manager[]): void {
  const found = others.flatMap(({ name, fields }) =>
    conflicts({ now, wanted, owned: fields }, schema, '', '').map((path) => ({ manager: name, path })),
  );
  const [first] = found;
  if (!first) return;
  const causes = found.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${JSON.stringify(manager)}`,
    field: path,
  }));
  const text = `Apply failed with ${found.length} conflict${found.length > 1 ? 's' : ''}: `;
  const list = causes.map(({ message, field }) => `${message}: ${field}`).join(', ');
  throw new StatusError(409, 'Conflict', text + list, { causes });
}

interface Contested {
  readonly now: unknown;
  readonly wanted: unknown;
  readonly owned: FieldSet;
}

/** The fields of another manager that would get another value. */
function conflicts(
  { now, wanted, owned }: Contested,
  schema: Schema | null,
  field: string,
  path: string,
): readonly string[] {
  const own = Object.keys(owned).filter((name) => name !== '.');
  const present = members(now, schema, field);
  const asked = members(wanted, schema, field);
  if (own.length === 0) return same(now, wanted) || isJson(now) ? [] : [path];
  return own
    .filter((name) => asked.has(name) && present.has(name))
    .flatMap((name) => {
      const inner = { now: present.get(name), wanted: asked.get(name), owned: jsonAt(owned, name) };
      const below = name.slice(2);
      return name.startsWith('f:')
        ? conflicts(inner, schemaBelow(schema, below), below, `${path}.${below}`)
        : conflicts(inner, schema?.items ?? null, '', `${path}[${below}]`);
    });
}
