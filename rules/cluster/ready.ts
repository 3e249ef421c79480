import type { VerdictRule } from '../verdict.ts';
import { open, sentence, toViewers } from '../words.ts';

/** How many nodes the cluster has, and how many of them are ready. */
export interface ClusterSeen {
  readonly nodes: number;
  readonly up: number;
}

/** A cluster is Ready while at least one node is. */
export const clusterReady: readonly VerdictRule<ClusterSeen>[] = [
  { reason: 'NoNodes', status: 'False', when: ({ nodes }) => nodes === 0, message: () => open('There is no node') },
  { reason: 'NodesNotReady', status: 'False', when: ({ up }) => up === 0, message: () => open('No node is ready') },
  {
    reason: 'NodesReady',
    status: 'True',
    when: () => true,
    message: ({ nodes, up }) =>
      sentence('{up} of {nodes} nodes are ready', { up: toViewers(up), nodes: toViewers(nodes) }),
  },
];
