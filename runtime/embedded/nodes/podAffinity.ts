import { selects } from './expression.ts';
import type { Node, Pod, PodTerm } from './shapes.ts';

/** A pod that stands on a node. */
export interface Neighbour {
  readonly pod: Pod;
  readonly node: Node;
}

export const alone = "node(s) didn't match pod affinity rules";
const crowded = "node(s) didn't match pod anti-affinity rules";
const unwelcome = "node(s) didn't satisfy existing pods anti-affinity rules";

export const neighboursOn = (nodes: readonly Node[], podsOn: (node: string) => readonly Pod[]): readonly Neighbour[] =>
  nodes.flatMap((node) => podsOn(node.metadata.name).map((pod) => ({ pod, node })));

/** Why a pod must not stand beside those that are there, or without those it needs; null when it may. */
export function refusedCompany(pod: Pod, node: Node, neighbours: readonly Neighbour[]): string | null {
  const near = (term: PodTerm) => neighbours.filter((one) => isSamePlace(term, node, one.node));
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const needs = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (!needs.every((term) => near(term).some((one) => concerns(term, pod, one.pod)) || isFirst(term, pod, neighbours)))
    return alone;
  const shuns = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (shuns.some((term) => near(term).some((one) => concerns(term, pod, one.pod)))) return crowded;
  const isShunned = neighbours.some((one) =>
    (one.pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).some(
      (term) => isSamePlace(term, node, one.node) && concerns(term, one.pod, pod),
    ),
  );
  return isShunned ? unwelcome : null;
}

/** The first of a group that wants to be together may stand anywhere. */
const isFirst = (term: PodTerm, pod: Pod, neighbours: readonly Neighbour[]) =>
  concerns(term, pod, pod) && !neighbours.some((one) => concerns(term, pod, one.pod));

function concerns({ namespaces, labelSelector }: PodTerm, owner: Pod, other: Pod): boolean {
  const spaces = namespaces && namespaces.length > 0 ? namespaces : [owner.metadata.namespace ?? ''];
  return spaces.includes(other.metadata.namespace ?? '') && selects(labelSelector, other.metadata.labels);
}

function isSamePlace({ topologyKey = '' }: PodTerm, a: Node, b: Node): boolean {
  const place = a.metadata.labels?.[topologyKey];
  return place !== undefined && place === b.metadata.labels?.[topologyKey];
}
