import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';

const clusterWide = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'CSIDriver',
  'CustomResourceDefinition',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'StorageClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (word === 'endpoints') return word;
  if (word.endsWith('s')) return `${word}es`;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** Where a built-in object is created, in the namespace `default` where its kind has namespaces. */
export function pathOf(object: Json): string {
  const version = textAt(object, 'apiVersion');
  const kind = textAt(object, 'kind');
  const root = version === 'v1' ? '/api/v1' : `/apis/${version}`;
  return `${root}${clusterWide.has(kind) ? '' : '/namespaces/default'}/${pluralOf(kind)}`;
}
