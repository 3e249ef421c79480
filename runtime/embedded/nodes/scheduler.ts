import { milli } from './quantity.ts';
import type { Expression, Node, Pod, Taint, Toleration } from './shapes.ts';

/** What pods ask for or use, in thousandths. */
export interface Amount {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

export type Placed = { readonly is: 'node'; readonly name: string } | { readonly is: 'none'; readonly message: string };

/** Chooses the node with the fewest pods among those that fit, or says why none does, as a real scheduler would. */
export function choose(pod: Pod, nodes: readonly Node[], usedOn: (node: string) => Amount): Placed {
  if (nodes.length === 0) return { is: 'none', message: 'no nodes available to schedule pods' };
  const need = needOf(pod);
  const judged = nodes.map((node) => ({ node, used: usedOn(node.metadata.name) }));
  const refusals = judged.map(({ node, used }) => refusalsOf(pod, node, need, used));
  const [best] = judged
    .filter((_, index) => refusals[index]?.length === 0)
    .sort((a, b) => a.used.pods - b.used.pods || a.node.metadata.name.localeCompare(b.node.metadata.name));
  if (best) return { is: 'node', name: best.node.metadata.name };
  return { is: 'none', message: messageOf(refusals) };
}

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

function refusalsOf(pod: Pod, node: Node, need: Amount, used: Amount): readonly string[] {
  if (node.spec?.unschedulable === true) return ['node(s) were unschedulable'];
  const taint = untolerated(pod.spec?.tolerations ?? [], node.spec?.taints ?? []);
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  if (!selected(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  const lacks = (resource: keyof Amount) =>
    need[resource] > 0 && used[resource] + need[resource] > milli(node.status?.allocatable?.[resource]);
  return [
    ...(lacks('cpu') ? ['Insufficient cpu'] : []),
    ...(lacks('memory') ? ['Insufficient memory'] : []),
    ...(lacks('pods') ? ['Too many pods'] : []),
  ];
}

const untolerated = (tolerations: readonly Toleration[], taints: readonly Taint[]) =>
  taints.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (operator === 'Exists') return key === '' || key === taint.key;
  return key === taint.key && value === (taint.value ?? '');
}

function selected({ spec }: Pod, { metadata }: Node): boolean {
  const labels = metadata.labels ?? {};
  if (!Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  const fields = { 'metadata.name': metadata.name };
  return (required.nodeSelectorTerms ?? []).some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      matchExpressions.every((expression) => holds(expression, labels)) &&
      matchFields.every((expression) => holds(expression, fields)),
  );
}

function holds({ key, operator, values = [] }: Expression, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function messageOf(refusals: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const reason of refusals.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${refusals.length} nodes are available: ${reasons.join(', ')}.`;
}
