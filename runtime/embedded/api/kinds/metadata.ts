import type { Stored } from '../../store.ts';
import { type Json, isJson, jsonAt, listAt, textAt } from '../json.ts';
import { forbiddenField, invalidValue, required, tooLong } from '../schema/cause.ts';
import type { Cause } from '../status.ts';

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);
const qualified =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const annotationsLimit = 256 * 1024;

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** Kinds whose names are DNS labels; those of roles may be anything that fits into a path. */
const labelKinds = ['Namespace', 'Service'];
const pathKinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

/** What is wrong with the metadata of an object. */
export function metadataFaults(kind: string, object: Json): readonly Cause[] {
  const metadata = jsonAt(object, 'metadata');
  return [
    ...nameFaults(kind, textAt(metadata, 'name')),
    ...labelFaults(metadata['labels']),
    ...annotationFaults(metadata['annotations']),
    ...listAt(metadata, 'ownerReferences').flatMap(ownerFaults),
    ...listAt(metadata, 'finalizers').flatMap((name) =>
      typeof name === 'string' && qualified.test(name) ? [] : [invalidValue('metadata.finalizers', name, keyRule)],
    ),
  ];
}

function nameFaults(kind: string, name: string): readonly Cause[] {
  const field = 'metadata.name';
  if (pathKinds.includes(kind))
    return /[/%]|^\.\.?$/.test(name) ? [invalidValue(field, name, "may not contain '/' or '%'")] : [];
  const isLabel = labelKinds.includes(kind);
  const limit = isLabel ? 63 : 253;
  if (name.length > limit) return [invalidValue(field, name, `must be no more than ${limit} characters`)];
  if (isLabel) return new RegExp(`^${label}$`).test(name) ? [] : [invalidValue(field, name, labelRule)];
  return subdomain.test(name) ? [] : [invalidValue(field, name, subdomainRule)];
}

function labelFaults(labels: unknown): readonly Cause[] {
  if (labels === undefined || labels === null) return [];
  if (!isJson(labels)) return [invalidValue('metadata.labels', labels, 'must be a map of text')];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(qualified.test(key) ? [] : [invalidValue('metadata.labels', key, keyRule)]),
    ...(typeof value === 'string' && value.length <= 63 && labelValue.test(value)
      ? []
      : [
          invalidValue(
            'metadata.labels',
            value,
            typeof value === 'string' && value.length > 63 ? 'must be no more than 63 characters' : valueRule,
          ),
        ]),
  ]);
}

function annotationFaults(annotations: unknown): readonly Cause[] {
  if (annotations === undefined || annotations === null) return [];
  if (!isJson(annotations)) return [invalidValue('metadata.annotations', annotations, 'must be a map of text')];
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return [
    ...entries.flatMap(([key, value]) => [
      ...(qualified.test(key.toLowerCase()) ? [] : [invalidValue('metadata.annotations', key, keyRule)]),
      ...(typeof value === 'string' ? [] : [invalidValue(`metadata.annotations.${key}`, value, 'must be text')]),
    ]),
    ...(size > annotationsLimit ? [tooLong('metadata.annotations', annotationsLimit)] : []),
  ];
}

const ownerFaults = (owner: unknown, index: number): readonly Cause[] =>
  ['apiVersion', 'kind', 'name', 'uid']
    .filter((name) => textAt(owner, name) === '')
    .map((name) => required(`metadata.ownerReferences[${index}].${name}`, 'must not be empty'));

/** What a change of the metadata may not do. */
export function metadataChangeFaults(old: Stored, next: Json): readonly Cause[] {
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
