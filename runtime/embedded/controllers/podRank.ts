import { isReady, readySince } from '../nodes/readiness.ts';
import type { Pod } from '../nodes/shapes.ts';
import { statusesOf } from '../nodes/podStatus.ts';

const cost = 'controller.kubernetes.io/pod-deletion-cost';
const phases = ['Pending', 'Unknown', 'Running'];

/** The pods in the order in which surplus ones are deleted: those that do least first. */
export function deletionOrder(pods: readonly Pod[]): readonly Pod[] {
  const onNode = new Map<string, number>();
  for (const { spec } of pods) onNode.set(spec?.nodeName ?? '', (onNode.get(spec?.nodeName ?? '') ?? 0) + 1);
  const ranks: readonly ((pod: Pod) => number)[] = [
    ({ spec }) => (spec?.nodeName === undefined ? 0 : 1),
    ({ status }) => phases.indexOf(status?.phase ?? 'Pending'),
    (pod) => (isReady(pod) ? 1 : 0),
    ({ metadata }) => Number(metadata.annotations?.[cost] ?? 0) || 0,
    ({ spec }) => -(onNode.get(spec?.nodeName ?? '') ?? 0),
    (pod) => (isReady(pod) ? -readySince(pod) : 0),
    ({ status }) => -Math.max(0, ...statusesOf(status).map(({ restartCount }) => restartCount)),
    ({ metadata }) => -Date.parse(metadata.creationTimestamp),
  ];
  return [...pods].sort((a, b) => {
    for (const rank of ranks) if (rank(a) !== rank(b)) return rank(a) - rank(b);
    return a.metadata.name < b.metadata.name ? -1 : 1;
  });
}
