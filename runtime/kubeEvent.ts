import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import { program, systemNamespace } from '../crds/names.ts';
import type { Resource } from './services/cluster.ts';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** One move as a Kubernetes Event, named by the move so that it is written at most once. */
export function kubeEvent(
  resource: Resource,
  object: KubeObject,
  move: HistoryEntry,
  type: 'Normal' | 'Warning',
): KubeObject {
  const { name, uid = '', resourceVersion } = object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${uid.slice(0, 8)}.${move.seq}`, namespace: systemNamespace },
    involvedObject: {
      apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
      kind: resource.kind,
      name,
      namespace: systemNamespace,
      uid,
      resourceVersion,
    },
    reason: capital(move.event),
    message: `${move.from} → ${move.to}: ${move.text}`,
    type,
    source: { component: `${program}-operator` },
    reportingComponent: `${program}-operator`,
    reportingInstance: `${program}-operator`,
    firstTimestamp: move.at,
    lastTimestamp: move.at,
    count: 1,
  } as KubeObject;
}
