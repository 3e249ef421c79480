import type { Stored } from '../../store.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { builtInType } from '../kinds/builtIn.ts';
import type { ResourceType } from '../kinds/type.ts';
import type { NodeUsed, PodUsage, PodUsed, Used } from '../podUsage.ts';
import { listText, objectText } from '../present.ts';
import { selectorOf } from '../selectors.ts';
import { notFound } from '../status.ts';
import { viewOf } from './read.ts';

export const usageGroup = 'metrics.k8s.io';

const served = { group: usageGroup, version: 'v1beta1', verbs: ['get', 'list'] } as const;
const nodeType = builtInType({ ...served, plural: 'nodes', kind: 'NodeMetrics', singular: '', cluster: true });
const podType = builtInType({ ...served, plural: 'pods', kind: 'PodMetrics', singular: '' });

/** What is served where usage is read; it is kept in no bucket. */
export const usageTypes: readonly ResourceType[] = [nodeType, podType];

/** What pods or nodes use now, in the form asked for. */
export function readUsage(call: Call, usage: PodUsage): Answer {
  const { type, namespace, name, query } = call;
  const all = type.kind === podType.kind ? ofPods(call, usage.pods()) : ofNodes(call, usage.nodes());
  if (name !== null) {
    const found = all.find(({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace);
    if (!found) throw notFound(type, name);
    return { code: 200, text: objectText(viewOf(call), found) };
  }
  const selects = selectorOf(query, type);
  const items = all
    .filter(({ metadata }) => namespace === '' || metadata.namespace === namespace)
    .filter((object) => selects === null || selects(object));
  return { code: 200, text: listText(viewOf(call), items, {}) };
}

const ofPods = ({ store }: Call, used: readonly PodUsed[]): readonly Stored[] => {
  const byUid = new Map(used.map((one) => [one.uid, one]));
  return store.list('/pods').flatMap((pod) => {
    const read = byUid.get(pod.metadata.uid);
    if (!read) return [];
    const containers = Object.entries(read.containers).map(([name, one]) => ({ name, usage: amountsOf(one) }));
    return [{ ...shown(podType, pod, read), containers }];
  });
};

const ofNodes = ({ store }: Call, used: readonly NodeUsed[]): readonly Stored[] =>
  store.list('/nodes').flatMap((node) => {
    const read = used.find(({ name }) => name === node.metadata.name);
    return read ? [{ ...shown(nodeType, node, read), usage: amountsOf(read) }] : [];
  });

interface Read {
  readonly at: number;
  readonly seconds: number;
}

function shown({ kind }: ResourceType, { metadata }: Stored, { at, seconds }: Read): Stored {
  const { name, namespace, labels, uid, resourceVersion } = metadata;
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: `${served.group}/${served.version}`,
    kind,
    metadata: {
      name,
      uid,
      resourceVersion,
      creationTimestamp: time,
      ...(namespace && { namespace }),
      ...(labels && { labels }),
    },
    timestamp: time,
    window: `${seconds}s`,
  };
}

const amountsOf = ({ cpu, memory }: Used) => ({
  cpu: `${Math.round(cpu * 1e9)}n`,
  memory: `${Math.round(memory / 1_024)}Ki`,
});
