import type { Stored } from '../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, textAt } from '../json.ts';
import { forbiddenField, invalidObject, invalidValue, required, tooLong } from '../schema/cause.ts';
import type { Cause } from '../status.ts';
import { qualifiedNameWhys } from './qualifiedName.ts';
import type { ResourceType } from './type.ts';

export const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);
/** What keys of labels and names of finalizers look like. */
export const qualified =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
/** What values of labels look like. */
export const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const annotationsLimit = 256 * 1024;

/** Why a name with dots is refused. */
export const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
/** Why a value of a label is refused. */
export const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
/** Why a key of a label is refused. */
export const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Kinds whose names are DNS labels; those of roles may be anything that fits into a path. */
const labelKinds = ['Namespace', 'Service', 'StatefulSet'];
const pathKinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** What is wrong with the metadata of an object; one that is there keeps the name that it got. */
export function metadataFaults(kind: string, object: Json, isNew: boolean): readonly Cause[] {
  const metadata = jsonAt(object, 'metadata');
  return [
    ...(isNew ? nameFaults(kind, metadata) : []),
    ...labelFaults(metadata['labels']),
    ...annotationFaults(metadata['annotations']),
    ...ownersFaults(listAt(metadata, 'ownerReferences')),
    ...listAt(metadata, 'finalizers').flatMap((name) =>
      typeof name === 'string' && qualified.test(name) ? [] : [invalidValue('metadata.finalizers', name, keyRule)],
    ),
  ];
}

const plainFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];
const lenientGroups = ['apiextensions.k8s.io', 'admissionregistration.k8s.io', 'coordination.k8s.io'];

/** Finalizers of a built-in kind that name no domain and are none of Kubernetes' own. */
export const strangeFinalizers = (group: string, object: Json): readonly Cause[] =>
  listAt(object, 'metadata', 'finalizers').flatMap((name, index) =>
    typeof name !== 'string' || name.includes('/') || plainFinalizers.includes(name) || lenientGroups.includes(group)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

/** A name that is made up is checked as if it ended there. */
function nameFaults(kind: string, metadata: Json): readonly Cause[] {
  const name = textAt(metadata, 'name');
  const prefix = textAt(metadata, 'generateName');
  const whole = prefix.length > 1 ? prefix.replace(/.-$/, 'a') : prefix;
  const ofPrefix = prefix === '' ? [] : formFaults(kind, whole, 'metadata.generateName', prefix);
  if (name === '') return [...ofPrefix, required('metadata.name', 'name or generateName is required')];
  return [...ofPrefix, ...formFaults(kind, name, 'metadata.name')];
}

function formFaults(kind: string, name: string, field: string, told = name): readonly Cause[] {
  if (pathKinds.includes(kind))
    return /[/%]|^\.\.?$/.test(name) ? [invalidValue(field, told, "may not contain '/' or '%'")] : [];
  if (labelKinds.includes(kind)) return labelNameFaults(name, field, told);
  if (name.length > 253) return [invalidValue(field, told, 'must be no more than 253 characters')];
  return subdomain.test(name) ? [] : [invalidValue(field, told, subdomainRule)];
}

const wholeLabel = new RegExp(`^${label}$`);

/** What is wrong with a name that becomes one part of a host's. */
export function labelNameFaults(name: string, field: string, told = name): readonly Cause[] {
  if (name.length > 63) return [invalidValue(field, told, 'must be no more than 63 characters')];
  if (name.includes('.')) return [invalidValue(field, told, 'must not contain dots')];
  return wholeLabel.test(name) ? [] : [invalidValue(field, told, labelRule)];
}

/** What is wrong with the name of a host, which may have several parts. */
export const subdomainFaults = (name: string, field: string): readonly Cause[] => [
  ...(name.length > 253 ? [invalidValue(field, name, 'must be no more than 253 characters')] : []),
  ...(subdomain.test(name) ? [] : [invalidValue(field, name, subdomainRule)]),
];

/** What is wrong with labels that stand in a field. */
export function labelFaults(labels: unknown, path = 'metadata.labels'): readonly Cause[] {
  if (labels === undefined || labels === null) return [];
  if (!isJson(labels)) return [invalidValue(path, labels, 'must be a map of text')];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameWhys(key).map((why) => invalidValue(path, key, why)),
    ...labelValueWhys(value).map((why) => invalidValue(path, value, why)),
  ]);
}

/** Why something is no value of a label. */
export function labelValueWhys(value: unknown): readonly string[] {
  if (typeof value === 'string' && value.length > 63) return ['must be no more than 63 bytes'];
  return typeof value === 'string' && labelValue.test(value) ? [] : [valueRule];
}

/** What is wrong with annotations that stand in a field. */
export function annotationFaults(annotations: unknown, path = 'metadata.annotations'): readonly Cause[] {
  if (annotations === undefined || annotations === null) return [];
  if (!isJson(annotations)) return [invalidValue(path, annotations, 'must be a map of text')];
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return [
    ...entries.flatMap(([key, value]) => [
      ...qualifiedNameWhys(key.toLowerCase()).map((why) => invalidValue(path, key, why)),
      ...(typeof value === 'string' ? [] : [invalidValue(`${path}.${key}`, value, 'must be text')]),
    ]),
    ...(size > annotationsLimit ? [tooLong(path, annotationsLimit)] : []),
  ];
}

const ownerFaults = (owner: unknown): readonly Cause[] => {
  const empty = ['apiVersion', 'kind', 'name', 'uid']
    .filter((name) => textAt(owner, name) === '')
    .map((name) => invalidValue(`metadata.ownerReferences.${name}`, '', 'must not be empty'));
  if (textAt(owner, 'apiVersion') !== 'v1' || textAt(owner, 'kind') !== 'Event') return empty;
  return [
    ...empty,
    invalidObject('metadata.ownerReferences', owner, '/v1, Kind=Event is disallowed from being an owner'),
  ];
};

/** Of several owners one at most is the controller. */
function controllerFaults(owners: readonly unknown[]): readonly Cause[] {
  const [first, second] = owners.filter((owner) => at(owner, 'controller') === true);
  if (second === undefined) return [];
  const shown = [first, second].map((owner) => `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`).join(' and ');
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${shown}`;
  return [invalidObject('metadata.ownerReferences', owners, why)];
}

const standardFinalizers: readonly unknown[] = ['foregroundDeletion', 'orphan', 'kubernetes'];

/** What a client is warned of that names a new finalizer. */
export function finalizerWarnings(object: Json, old: Stored | undefined): readonly string[] {
  const before: readonly unknown[] = old?.metadata.finalizers ?? [];
  return listAt(object, 'metadata', 'finalizers')
    .filter((name) => !before.includes(name) && !String(name).includes('/') && !standardFinalizers.includes(name))
    .map(
      (name) =>
        `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

/** What a change of the metadata may not do. */
export function metadataChangeFaults(
  old: Stored,
  next: Json,
  { custom }: Pick<ResourceType, 'custom'>,
): readonly Cause[] {
  const added = addedFinalizers(old, next);
  if (custom === undefined) return added;
  // A declared kind is checked as any object, and again as its own, once for the change and once for what it is.
  const { labels, annotations, ownerReferences } = jsonAt(next, 'metadata');
  const again = [
    ...labelFaults(labels),
    ...annotationFaults(annotations),
    ...ownersFaults(listAt({ ownerReferences }, 'ownerReferences')),
  ];
  return [...added, ...again, ...added, ...again];
}

const ownersFaults = (owners: readonly unknown[]) => [...owners.flatMap(ownerFaults), ...controllerFaults(owners)];

function addedFinalizers(old: Stored, next: Json): readonly Cause[] {
  if (old.metadata.deletionTimestamp === undefined) return [];
  const before = old.metadata.finalizers ?? [];
  const added = listAt(next, 'metadata', 'finalizers').filter((name) => !before.includes(String(name)));
  if (added.length === 0) return [];
  const names = added.map((name) => JSON.stringify(name)).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`,
    ),
  ];
}
