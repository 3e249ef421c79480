/** A port that a server of the cluster lets in. */
interface OpenPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly means: string;
  readonly from: string;
}

const nodes = 'the other servers';

/** What the firewall of a server has to let in, and from whom. */
export const openPorts: readonly OpenPort[] = [
  { port: 22, protocol: 'tcp', means: 'SSH, by which a server joins', from: 'the platform' },
  { port: 80, protocol: 'tcp', means: 'Services and dashboard, and the check for certificates', from: 'everybody' },
  { port: 443, protocol: 'tcp', means: 'Services and dashboard', from: 'everybody' },
  { port: 6443, protocol: 'tcp', means: "The orchestrator's API", from: nodes },
  { port: 10250, protocol: 'tcp', means: 'The agent of a node', from: nodes },
  { port: 8472, protocol: 'udp', means: 'The network between pods', from: nodes },
  { port: 51820, protocol: 'udp', means: 'The network between pods of several providers, and only there', from: nodes },
];
