/** A port that a server of the cluster lets in. */
interface OpenPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly purpose: string;
  readonly from: string;
}

const nodes = 'the other servers';

/** What the firewall of a server has to let in, and from whom. */
export const openPorts: readonly OpenPort[] = [
  { port: 22, protocol: 'tcp', purpose: 'SSH, by which a server joins', from: 'the platform' },
  { port: 80, protocol: 'tcp', purpose: 'Services and dashboard, and the check for certificates', from: 'everybody' },
  { port: 443, protocol: 'tcp', purpose: 'Services and dashboard', from: 'everybody' },
  { port: 6443, protocol: 'tcp', purpose: "The orchestrator's API", from: nodes },
  { port: 10250, protocol: 'tcp', purpose: 'The agent of a node', from: nodes },
  { port: 8472, protocol: 'udp', purpose: 'The network between pods', from: nodes },
  {
    port: 51820,
    protocol: 'udp',
    purpose: 'The network between pods of several providers, and only there',
    from: nodes,
  },
];
