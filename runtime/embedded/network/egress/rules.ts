import { selects } from '../../nodes/expression.ts';
import { chooses, directionsOf } from '../gate.ts';
import type { NetworkPod, NetworkPolicy, PolicyPeer, PolicyPort } from '../objects.ts';
import type { View } from '../view.ts';
import { cidrWithout } from './cidrs.ts';

/** Pods whose way out is restricted in the same way, and what each of their packets must match one of. */
export interface Restricted {
  readonly from: readonly string[];
  readonly matches: readonly string[];
}

/** Who may go where, of the pods that a policy keeps from going everywhere: as matches of iptables. */
export function restrictedIn(view: View, podRange: string): readonly Restricted[] {
  const groups = new Map<string, { readonly policies: readonly NetworkPolicy[]; readonly from: string[] }>();
  for (const pod of view.podsByIp.values()) {
    const all = view.policies.get(pod.namespace) ?? [];
    const policies = all.filter(
      ({ spec }) => chooses(spec.podSelector, pod.labels) && directionsOf(spec).includes('Egress'),
    );
    if (policies.length === 0) continue;
    const key = `${pod.namespace} ${policies.map((policy) => all.indexOf(policy)).join(' ')}`;
    const group = groups.get(key) ?? { policies, from: [] };
    groups.set(key, group);
    group.from.push(pod.ip);
  }
  return [...groups.values()].map(({ policies, from }) => ({
    from,
    matches: [...new Set(policies.flatMap((policy) => matchesOf(view, policy, podRange)))],
  }));
}

/** An address or range that may be gone to; for a pod, what it calls its ports. */
interface Destination {
  readonly range: string;
  readonly pod?: NetworkPod;
}

const everywhere: Destination = { range: '0.0.0.0/0' };

const matchesOf = (view: View, { namespace, spec: { egress = [] } }: NetworkPolicy, podRange: string) =>
  egress.flatMap(({ to = [], ports = [] }) => {
    const named = ports.some(({ port }) => typeof port === 'string');
    const wide = named ? null : podRange;
    const destinations = to.length === 0 ? [everywhere] : to.flatMap((peer) => peersOf(view, peer, namespace, wide));
    return destinations.flatMap((destination) =>
      ports.length === 0
        ? [`-d ${destination.range}`]
        : ports.flatMap((port) => portMatch(port, destination).map((match) => `-d ${destination.range} ${match}`)),
    );
  });

function peersOf(
  view: View,
  { ipBlock, namespaceSelector, podSelector }: PolicyPeer,
  home: string,
  podRange: string | null,
): readonly Destination[] {
  if (ipBlock) {
    const { cidr, except = [] } = ipBlock;
    return isIpv4(cidr) ? cidrWithout(cidr, except.filter(isIpv4)).map((range) => ({ range })) : [];
  }
  // Whoever names all pods names their whole range, which is one match and not one for each.
  if (podRange !== null && isEmpty(namespaceSelector) && (podSelector === undefined || isEmpty(podSelector)))
    return [{ range: podRange }];
  const isThere = ({ namespace }: NetworkPod) =>
    namespaceSelector ? selects(namespaceSelector, view.namespaces.get(namespace)) : namespace === home;
  return [...view.podsByIp.values()]
    .filter((pod) => isThere(pod) && chooses(podSelector, pod.labels))
    .map((pod) => ({ range: `${pod.ip}/32`, pod }));
}

const isIpv4 = (cidr: string) => !cidr.includes(':');
const isEmpty = (selector: object | undefined) => selector !== undefined && Object.keys(selector).length === 0;

function portMatch({ protocol = 'TCP', port, endPort }: PolicyPort, { pod }: Destination): readonly string[] {
  const way = `-p ${protocol.toLowerCase()}`;
  if (port === undefined) return [way];
  const number = typeof port === 'string' ? pod?.ports[`${protocol}/${port}`] : port;
  if (number === undefined) return [];
  return [`${way} --dport ${number}${endPort === undefined ? '' : `:${endPort}`}`];
}
