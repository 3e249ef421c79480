import { isJson, textAt, wordOf } from '../../api/json.ts';
import type { Stored } from '../../store.ts';

const simple: Readonly<Record<string, readonly string[]>> = {
  'metadata.name': ['metadata', 'name'],
  'metadata.namespace': ['metadata', 'namespace'],
  'metadata.uid': ['metadata', 'uid'],
  'spec.nodeName': ['spec', 'nodeName'],
  'spec.serviceAccountName': ['spec', 'serviceAccountName'],
  'status.podIP': ['status', 'podIP'],
  'status.podIPs': ['status', 'podIP'],
  'status.hostIP': ['status', 'hostIP'],
  'status.hostIPs': ['status', 'hostIP'],
};

/** The value of a pod's field, by its path in the downward API. */
export function podFieldOf(pod: Stored, path: string): string {
  const steps = simple[path];
  if (steps) return textAt(pod, ...steps);
  const [, kind, key] = /^metadata\.(labels|annotations)(?:\['([^']+)'\])?$/.exec(path) ?? [];
  if (kind === undefined) return '';
  const found = kind === 'labels' ? pod.metadata.labels : pod.metadata.annotations;
  if (key !== undefined) return found?.[key] ?? '';
  const all = isJson(found) ? Object.entries(found) : [];
  return all
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(wordOf(value))}`)
    .join('\n');
}
