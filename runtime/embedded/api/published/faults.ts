import { type Json, isJson } from '../json.ts';
import { notSupported, required } from '../schema/cause.ts';
import type { Cause } from '../status.ts';
import type { Field, Shape } from './definition.ts';
import { definition } from './definitions.ts';

/** The required texts and lists that an object lacks, and the values that its enums do not have; the status aside. */
export function publishedFaults(name: string, object: Json): readonly Cause[] {
  const { status: _, metadata: __, apiVersion: ___, kind: ____, ...rest } = object;
  return ofType(name, rest, '', true);
}

function ofType(name: string, value: Json, path: string, isRoot = false): readonly Cause[] {
  const found = definition(name);
  if (!found) return [];
  const below = (field: string) => (path === '' ? field : `${path}.${field}`);
  const missing =
    isRoot || judged.has(name)
      ? []
      : found.required.filter(
          (field) => !mayBeEmpty.has(`${name}.${field}`) && isMissing(found.fields[field], value[field]),
        );
  const inner = Object.entries(value).flatMap(([field, one]) => {
    const known = found.fields[field];
    if (!known) return [];
    const refused =
      !otherwise.has(`${name}.${field}`) && refusedValue(valuesOf(name, field, known), known, one)
        ? [notSupported(below(field), one, inOrder(valuesOf(name, field, known) ?? []))]
        : [];
    return [...refused, ...ofShape(known.shape, one, below(field))];
  });
  return [...missing.map((field) => required(below(field))), ...inner];
}

function ofShape(shape: Shape, value: unknown, path: string): readonly Cause[] {
  if (shape.is === 'list' && Array.isArray(value))
    return value.flatMap((item, index) => ofShape(shape.of, item, `${path}[${index}]`));
  if (shape.is === 'map' && isJson(value))
    return Object.entries(value).flatMap(([key, inner]) => ofShape(shape.of, inner, `${path}[${key}]`));
  return shape.is === 'ref' && isJson(value) ? ofType(shape.name, value, path) : [];
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

const valuesOf = (name: string, field: string, known: Field) => narrowed[`${name}.${field}`] ?? known.enum;

const refusedValue = (values: readonly string[] | undefined, { shape }: Field, value: unknown) =>
  values !== undefined && shape.is === 'plain' && value !== '' && !values.includes(String(value));

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
