import { holds } from './expression.ts';
import { type Neighbour, alone, neighboursOn, refusedCompany } from './podAffinity.ts';
import { milli } from './quantity.ts';
import type { Node, NodeTerm, Pod, Taint, Toleration } from './shapes.ts';

/** What pods ask for or use, in thousandths. */
export interface Amount {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

export type Placed = { readonly is: 'node'; readonly name: string } | { readonly is: 'none'; readonly message: string };

/** What stands on the nodes. */
interface Standing {
  readonly usedOn: (node: string) => Amount;
  readonly podsOn: (node: string) => readonly Pod[];
}

/** Why a node does not take a pod; `helpless`: the end of other pods would not change that. */
interface Refusal {
  readonly reasons: readonly string[];
  readonly helpless: boolean;
}

/** Chooses among the nodes that fit the preferred one with the fewest pods, or says why none fits as a scheduler does. */
export function choose(pod: Pod, nodes: readonly Node[], standing: Standing): Placed {
  if (nodes.length === 0) return { is: 'none', message: 'no nodes available to schedule pods' };
  const need = needOf(pod);
  const neighbours = neighboursOn(nodes, standing.podsOn);
  const judged = nodes.map((node) => ({ node, used: standing.usedOn(node.metadata.name) }));
  const refusals = judged.map(({ node, used }) => refusalOf(pod, node, { need, used, neighbours }));
  const [best] = judged
    .filter((_, index) => refusals[index]?.reasons.length === 0)
    .map((one) => ({ ...one, preference: preferenceOf(pod, one.node) }))
    .sort(
      (a, b) =>
        b.preference - a.preference ||
        a.used.pods - b.used.pods ||
        a.node.metadata.name.localeCompare(b.node.metadata.name),
    );
  if (best) return { is: 'node', name: best.node.metadata.name };
  return { is: 'none', message: messageOf(refusals) };
}

/** What a scheduler says of a pod that no node can take for a reason of its own. */
export const unfit = (why: string, nodes: number): string =>
  `0/${nodes} nodes are available: ${why}. ${noClaims}, preemption: 0/${nodes} nodes are available: ${nodes} ${notHelpful}.`;

/** The requests of a pod: its main containers together, or its greediest init container. */
export function needOf({ spec }: Pod): Amount {
  const amount = (resource: 'cpu' | 'memory') => {
    const of = (containers: NonNullable<Pod['spec']>['containers'] = []) =>
      containers.map(({ resources }) => milli(resources?.requests?.[resource]));
    const main = of(spec?.containers).reduce((sum, one) => sum + one, 0);
    return Math.max(main, ...of(spec?.initContainers));
  };
  return { cpu: amount('cpu'), memory: amount('memory'), pods: 1000 };
}

function refusalOf(
  pod: Pod,
  node: Node,
  {
    need,
    used,
    neighbours,
  }: { readonly need: Amount; readonly used: Amount; readonly neighbours: readonly Neighbour[] },
): Refusal {
  const helpless = (reason: string): Refusal => ({ reasons: [reason], helpless: true });
  const isTainted = untolerated(pod.spec?.tolerations ?? [], node.spec?.taints ?? []);
  if (node.spec?.unschedulable === true) return helpless('node(s) were unschedulable');
  if (isTainted) return helpless('node(s) had untolerated taint(s)');
  if (!selected(pod, node)) return helpless("node(s) didn't match Pod's node affinity/selector");
  const lacks = (resource: keyof Amount) =>
    need[resource] > 0 && used[resource] + need[resource] > milli(node.status?.allocatable?.[resource]);
  const reasons = [
    ...(lacks('cpu') ? ['Insufficient cpu'] : []),
    ...(lacks('memory') ? ['Insufficient memory'] : []),
    ...(lacks('pods') ? ['Too many pods'] : []),
  ];
  if (reasons.length > 0) return { reasons, helpless: false };
  const company = refusedCompany(pod, node, neighbours);
  return { reasons: company === null ? [] : [company], helpless: company === alone };
}

const untolerated = (tolerations: readonly Toleration[], taints: readonly Taint[]) =>
  taints.some(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

export function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === (taint.value ?? '');
}

function selected({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || (required.nodeSelectorTerms ?? []).some((term) => matches(term, node));
}

function matches({ matchExpressions = [], matchFields = [] }: NodeTerm, { metadata }: Node): boolean {
  return (
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((expression) => holds(expression, metadata.labels ?? {})) &&
    matchFields.every((expression) => holds(expression, { 'metadata.name': metadata.name }))
  );
}

/** How much a pod prefers a node. */
function preferenceOf({ spec }: Pod, node: Node): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred
    .filter(({ preference }) => preference && matches(preference, node))
    .reduce((sum, { weight = 0 }) => sum + weight, 0);
}

/** What the scheduler's plugin of claims for devices says of every pod that has none. */
const noClaims = 'no new claims to deallocate';
const notHelpful = 'Preemption is not helpful for scheduling';
const noVictims = 'No preemption victims found for incoming pod';

function messageOf(refusals: readonly Refusal[]): string {
  const all = refusals.length;
  const victims = refusals.map(({ helpless }) => (helpless ? notHelpful : noVictims));
  return `0/${all} nodes are available: ${counted(refusals.flatMap(({ reasons }) => reasons))}. ${noClaims}, preemption: 0/${all} nodes are available: ${counted(victims)}.`;
}

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
