import { type Json, isJson } from '../json.ts';
import { notSupported, required } from '../schema/cause.ts';
import type { Cause } from '../status.ts';
import type { Definition, Field, Shape } from './definition.ts';
import { definition } from './definitions.ts';

/** The required texts and lists that an object lacks, and the values that its enums do not have; the status aside. */
export function publishedFaults(name: string, object: Json): readonly Cause[] {
  const { status: _, metadata: __, apiVersion: ___, kind: ____, ...rest } = object;
  const faults: Cause[] = [];
  judgeFields(name, rest, '', faults);
  return faults;
}

/** What is asked of the values of a type. */
interface Asked {
  readonly required: readonly string[];
  /** The values that a field may have. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const asked = new WeakMap<Definition, Asked>();

/** Put together once for each type: its names are looked up for every value of every object. */
function askedOf(found: Definition): Asked {
  const known = asked.get(found);
  if (known) return known;
  const { name, fields } = found;
  const required = judged.has(name) ? [] : found.required.filter((field) => !mayBeEmpty.has(`${name}.${field}`));
  const values = new Map<string, readonly string[]>();
  for (const [field, { shape, enum: own }] of Object.entries(fields)) {
    const allowed = narrowed[`${name}.${field}`] ?? own;
    if (allowed && shape.is === 'plain' && !otherwise.has(`${name}.${field}`)) values.set(field, allowed);
  }
  const made = { required, values };
  asked.set(found, made);
  return made;
}

/** Adds to the faults that were found before: most objects have none. */
function judgeType(name: string, value: Json, path: string, faults: Cause[]): void {
  const found = definition(name);
  if (!found) return;
  for (const field of askedOf(found).required)
    if (isMissing(found.fields[field], value[field])) faults.push(required(below(path, field)));
  judgeFields(name, value, path, faults);
}

function judgeFields(name: string, value: Json, path: string, faults: Cause[]): void {
  const found = definition(name);
  if (!found) return;
  const { values } = askedOf(found);
  for (const field of Object.keys(value)) {
    const known = found.fields[field];
    if (!known) continue;
    const [one, allowed] = [value[field], values.get(field)];
    if (allowed && one !== '' && !allowed.includes(String(one)))
      faults.push(notSupported(below(path, field), one, inOrder(allowed)));
    if (isNested(one)) judgeShape(known.shape, one, below(path, field), faults);
  }
}

const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);
const isNested = (value: unknown) => typeof value === 'object' && value !== null;

function judgeShape(shape: Shape, value: unknown, path: string, faults: Cause[]): void {
  if (shape.is === 'list' && Array.isArray(value))
    for (const [index, item] of value.entries()) judgeShape(shape.of, item, `${path}[${index}]`, faults);
  else if (shape.is === 'map' && isJson(value))
    for (const key of Object.keys(value)) judgeShape(shape.of, value[key], `${path}[${key}]`, faults);
  else if (shape.is === 'ref' && isJson(value)) judgeType(shape.name, value, path, faults);
}

/** Only text and lists are missing when they are not given: a number is 0, and an object is empty. */
const isMissing = (field: Field | undefined, value: unknown) =>
  (field?.shape.is === 'list' && (!Array.isArray(value) || value.length === 0)) ||
  (field?.shape.is === 'plain' && field.shape.type === 'string' && (value === undefined || value === ''));

/** Required texts that may be empty all the same. */
const mayBeEmpty: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.HTTPHeader.value',
  'io.k8s.api.core.v1.Sysctl.value',
  'io.k8s.api.storage.v1.TokenRequest.audience',
]);

/** Fields that the API takes fewer values for than their types know. */
const narrowed: Readonly<Record<string, readonly string[]>> = {
  'io.k8s.api.core.v1.Toleration.operator': ['Equal', 'Exists'],
  'io.k8s.api.storage.v1.StorageClass.reclaimPolicy': ['Delete', 'Retain'],
};

/** Types of which the API asks less, or says it in other words. */
const core = 'io.k8s.api.core.v1';
const judged = new Set([
  `${core}.LimitRangeSpec`,
  'io.k8s.api.storage.v1.CSINodeSpec',
  `${core}.EnvFromSource`,
  `${core}.NodeSelectorTerm`,
  `${core}.ObjectReference`,
  `${core}.LocalObjectReference`,
  `${core}.ConfigMapKeySelector`,
  `${core}.TypedLocalObjectReference`,
  `${core}.HTTPGetAction`,
  'io.k8s.api.rbac.v1.PolicyRule',
  'io.k8s.api.rbac.v1.RoleRef',
  'io.k8s.api.rbac.v1.Subject',
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement',
]);

/** Fields of which the rules of their kind say what is wrong. */
const otherwise = new Set([
  'io.k8s.api.apps.v1.DeploymentStrategy.type',
  'io.k8s.api.apps.v1.DaemonSetUpdateStrategy.type',
  'io.k8s.api.apps.v1.StatefulSetUpdateStrategy.type',
  'io.k8s.api.apps.v1.StatefulSetSpec.podManagementPolicy',
]);

const told: readonly (readonly string[])[] = [
  ['Always', 'OnFailure', 'Never'],
  ['File', 'FallbackToLogsOnError'],
  ['NonIndexed', 'Indexed'],
  ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
];
/** Values in the order of the API's messages: by name, with a few exceptions. */
const inOrder = (values: readonly string[]) =>
  told.find((list) => list.length === values.length && list.every((one) => values.includes(one))) ?? values;
