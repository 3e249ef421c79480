/** Policies as Kubernetes reads them; written from its documentation and from nothing of the product. */
type Labels = Readonly<Record<string, string>>;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Requirement[];
}
interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: Block;
}
interface Port {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}
interface IngressRule {
  readonly from?: readonly Peer[];
  readonly ports?: readonly Port[];
}
interface EgressRule {
  readonly to?: readonly Peer[];
  readonly ports?: readonly Port[];
}
export interface Policy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly IngressRule[];
    readonly egress?: readonly EgressRule[];
  };
}

/** A pod with an address, and the ports by which its containers name them. */
export interface Pod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly ip: string;
  readonly ports?: Readonly<Record<string, number>>;
}

/** An end of a connection: a pod, or an address outside of the cluster. */
export type End = { readonly pod: Pod } | { readonly ip: string };

export interface Network {
  readonly policies: readonly Policy[];
  /** The labels of each namespace. */
  readonly namespaces: Readonly<Record<string, Labels>>;
  /** Whether addresses of pods are matched by blocks, too: networks differ in that, and the API leaves it to them. */
  readonly blocksMatchPods: boolean;
}

export interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: string;
}

function holds({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
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
    default:
      throw new Error(`no operator ${operator}`);
  }
}

/** An empty selector selects everything. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((one) => holds(one, labels));

const bits = (ip: string): { readonly of: 4 | 6; readonly value: bigint } => {
  if (!ip.includes(':')) {
    const value = ip.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    return { of: 4, value };
  }
  const [head = '', tail] = ip.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return { of: 6, value: all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n) };
};

export function isWithin(ip: string, cidr: string): boolean {
  const [base = '', length = ''] = cidr.split('/');
  const [one, other] = [bits(ip), bits(base)];
  if (one.of !== other.of) return false;
  const shift = BigInt((one.of === 4 ? 32 : 128) - Number(length));
  return one.value >> shift === other.value >> shift;
}

const ipOf = (end: End): string => ('pod' in end ? end.pod.ip : end.ip);

function isPeer(peer: Peer, end: End, home: string, { namespaces, blocksMatchPods }: Network): boolean {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock !== undefined) {
    if ('pod' in end && !blocksMatchPods) return false;
    const isIn = (cidr: string) => isWithin(ipOf(end), cidr);
    return isIn(ipBlock.cidr) && !(ipBlock.except ?? []).some(isIn);
  }
  if (!('pod' in end)) return false;
  const { namespace, labels } = end.pod;
  const isHere =
    namespaceSelector === undefined ? namespace === home : selects(namespaceSelector, namespaces[namespace] ?? {});
  return isHere && (podSelector === undefined || selects(podSelector, labels));
}

function isPort({ protocol = 'TCP', port, endPort }: Port, connection: Connection): boolean {
  if (protocol !== (connection.protocol ?? 'TCP')) return false;
  if (port === undefined) return true;
  if (typeof port === 'string') return 'pod' in connection.to && connection.to.pod.ports?.[port] === connection.port;
  return connection.port >= port && connection.port <= (endPort ?? port);
}

/** An absent or empty list of peers or ports allows all of them. */
const isAllowed = (
  {
    peers = [],
    ports = [],
  }: { readonly peers?: readonly Peer[] | undefined; readonly ports?: readonly Port[] | undefined },
  connection: Connection,
  { other, home, network }: { readonly other: End; readonly home: string; readonly network: Network },
): boolean =>
  (peers.length === 0 || peers.some((peer) => isPeer(peer, other, home, network))) &&
  (ports.length === 0 || ports.some((port) => isPort(port, connection)));

/** Ingress is always meant; egress, where nothing is said, when there are rules for it. */
const typesOf = ({ policyTypes, egress }: Policy['spec']): readonly string[] =>
  policyTypes ?? ['Ingress', ...(egress === undefined ? [] : ['Egress'])];

const about = (pod: Pod, type: 'Ingress' | 'Egress', { policies }: Network): readonly Policy[] =>
  policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace && selects(spec.podSelector, pod.labels) && typesOf(spec).includes(type),
  );

/** A pod that no policy selects is open; for another one, what any of its policies allows. */
export function connects(connection: Connection, network: Network): boolean {
  const { from, to } = connection;
  const leaves = () => {
    if (!('pod' in from)) return true;
    const selecting = about(from.pod, 'Egress', network);
    const given = { other: to, home: from.pod.namespace, network };
    const rules = selecting.flatMap(({ spec }) => spec.egress ?? []);
    return (
      selecting.length === 0 || rules.some(({ to: peers, ports }) => isAllowed({ peers, ports }, connection, given))
    );
  };
  const enters = () => {
    if (!('pod' in to)) return true;
    const selecting = about(to.pod, 'Ingress', network);
    const given = { other: from, home: to.pod.namespace, network };
    const rules = selecting.flatMap(({ spec }) => spec.ingress ?? []);
    return (
      selecting.length === 0 || rules.some(({ from: peers, ports }) => isAllowed({ peers, ports }, connection, given))
    );
  };
  return leaves() && enters();
}
