import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { program, systemNamespace } from '../../crds/names.ts';
import { apiVersionOf, type Resource } from '../services/cluster/cluster.ts';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The content of a Kubernetes Event about an object; its id is part of the name, so that it is written only once. */
export interface EventContent {
  readonly id: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly at: string;
  /** How often it occurred, the last time at `lastAt`; once without them. */
  readonly count?: number;
  readonly lastAt?: string;
  /** It is not merged with equal ones: its id stands for one occurrence. */
  readonly isOnce?: true;
}

/** One move as an Event, identified by the number of the move. */
export const eventOfMove = (
  { seq, event, from, to, text, at }: HistoryEntry,
  type: EventContent['type'],
): EventContent => ({
  id: String(seq),
  type,
  reason: capital(event),
  message: `${from} → ${to}: ${text}`,
  at,
});

export function kubeEvent(resource: Resource, object: KubeObject, content: EventContent): KubeObject {
  const { name, uid = '', resourceVersion } = object.metadata;
  const { id, type, reason, message, at, count = 1, lastAt = at } = content;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${uid.slice(0, 8)}.${id}`, namespace: systemNamespace },
    involvedObject: {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      name,
      namespace: systemNamespace,
      uid,
      resourceVersion,
    },
    reason,
    message,
    type,
    source: { component: `${program}-operator` },
    reportingComponent: `${program}-operator`,
    reportingInstance: `${program}-operator`,
    firstTimestamp: at,
    lastTimestamp: lastAt,
    count,
  } as KubeObject;
}
