import { opaque } from '../cel/functions/opaqueTypes.ts';
import {
  type CelType,
  boolType,
  dynType,
  intType,
  listOf,
  mapOf,
  objectType,
  stringType,
  timestampType,
} from '../cel/types/type.ts';

const object = (name: string, fields: Readonly<Record<string, CelType>>): CelType =>
  objectType(`kubernetes.${name}`, new Map(Object.entries(fields)));
const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, stringType]));

const group = object('GroupVersionKind', texts('group', 'version', 'kind'));
const resource = object('GroupVersionResource', texts('group', 'version', 'resource'));
const user = object('UserInfo', {
  ...texts('username', 'uid'),
  groups: listOf(stringType),
  extra: mapOf(stringType, listOf(stringType)),
});
const request = object('AdmissionRequest', {
  kind: group,
  resource,
  subResource: stringType,
  requestKind: group,
  requestResource: resource,
  requestSubResource: stringType,
  ...texts('name', 'namespace', 'operation'),
  userInfo: user,
  dryRun: boolType,
  options: dynType,
});

const condition = object('NamespaceCondition', {
  ...texts('status', 'type', 'message', 'reason'),
  lastTransitionTime: timestampType,
});
const metadata = object('NamespaceMetadata', {
  ...texts('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
  labels: mapOf(stringType, stringType),
  annotations: mapOf(stringType, stringType),
  creationTimestamp: timestampType,
  deletionGracePeriodSeconds: intType,
  deletionTimestamp: timestampType,
  generation: intType,
  finalizers: listOf(stringType),
});
const namespace = object('Namespace', {
  metadata,
  spec: object('NamespaceSpec', { finalizers: listOf(stringType) }),
  status: object('NamespaceStatus', { conditions: listOf(condition), phase: stringType }),
});

/** The types of what every expression of a policy can read; `made` are the variables of the policy. */
export function typesOf(params: boolean, made: ReadonlyMap<string, CelType>): ReadonlyMap<string, CelType> {
  return new Map([
    ['object', dynType],
    ['oldObject', dynType],
    ['request', request],
    ['namespaceObject', namespace],
    ['authorizer', opaque['kubernetes.authorization.Authorizer'] ?? dynType],
    ['authorizer.requestResource', opaque['kubernetes.authorization.ResourceCheck'] ?? dynType],
    ['variables', objectType('kubernetes.variables', made)],
    ...(params ? [['params', dynType] as const] : []),
  ]);
}
