import { type LabelSelector, selects } from '../nodes/expression.ts';
import type { NetworkPod, NetworkPolicy, PolicyPeer, PolicyPort, PolicySpec } from './objects.ts';
import { isWithin } from './ranges.ts';
import type { View } from './view.ts';

/** An end of a connection: a pod where one has the address. */
interface End {
  readonly ip: string;
  readonly pod: NetworkPod | undefined;
}

interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol: string;
}

/** What is asked of a pod to connect to. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: string;
}

/** Whether the policies let one address connect to another, as Kubernetes reads them. */
export function mayConnect(view: View, { from, to, port, protocol }: Asked): boolean {
  const end = (ip: string): End => ({ ip, pod: view.podsByIp.get(ip) });
  const connection: Connection = { from: end(from), to: end(to), port, protocol };
  return passes(view, connection, 'Egress') && passes(view, connection, 'Ingress');
}

type Direction = 'Ingress' | 'Egress';

interface Rule {
  readonly peers: readonly PolicyPeer[];
  readonly ports: readonly PolicyPort[];
}

/** A pod that no policy of a direction selects is open; for another one it is enough that one rule allows it. */
function passes(view: View, connection: Connection, direction: Direction): boolean {
  const [own, other] = direction === 'Ingress' ? [connection.to, connection.from] : [connection.from, connection.to];
  const { pod } = own;
  if (!pod) return true;
  const selecting = (view.policies.get(pod.namespace) ?? []).filter(
    ({ spec }) => chooses(spec.podSelector, pod.labels) && directionsOf(spec).includes(direction),
  );
  if (selecting.length === 0) return true;
  return selecting.some((policy) =>
    rulesOf(policy, direction).some(
      ({ peers, ports }) =>
        (peers.length === 0 || peers.some((peer) => isPeer(view, peer, other, pod.namespace))) &&
        (ports.length === 0 || ports.some((port) => isPort(port, connection))),
    ),
  );
}

/** In policies a selector that is left out selects everything, as an empty one does. */
export const chooses = (selector: LabelSelector | undefined, labels: NetworkPod['labels']) =>
  selects(selector ?? {}, labels);

/** Where nothing is said, a policy is about what comes in, and about what goes out if it has rules for it. */
export const directionsOf = ({ policyTypes, egress }: PolicySpec): readonly string[] =>
  policyTypes ?? ['Ingress', ...(egress === undefined ? [] : ['Egress'])];

const rulesOf = ({ spec: { ingress = [], egress = [] } }: NetworkPolicy, direction: Direction): readonly Rule[] =>
  direction === 'Ingress'
    ? ingress.map(({ from = [], ports = [] }) => ({ peers: from, ports }))
    : egress.map(({ to = [], ports = [] }) => ({ peers: to, ports }));

/** Peers are named by their addresses, or as pods by what both of their selectors select. */
function isPeer(view: View, { ipBlock, namespaceSelector, podSelector }: PolicyPeer, end: End, home: string): boolean {
  if (ipBlock) return isWithin(end.ip, ipBlock.cidr) && !(ipBlock.except ?? []).some((cidr) => isWithin(end.ip, cidr));
  const { pod } = end;
  if (!pod) return false;
  const isThere = namespaceSelector
    ? selects(namespaceSelector, view.namespaces.get(pod.namespace))
    : pod.namespace === home;
  return isThere && chooses(podSelector, pod.labels);
}

function isPort({ protocol = 'TCP', port, endPort }: PolicyPort, connection: Connection): boolean {
  if (protocol !== connection.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === 'string') return connection.to.pod?.ports[`${protocol}/${port}`] === connection.port;
  return connection.port >= port && connection.port <= (endPort ?? port);
}
