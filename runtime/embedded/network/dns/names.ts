import { isWithin } from '../ranges.ts';
import type { NetworkEndpoint, NetworkPod } from '../objects.ts';
import { type ServedService, type View, isReached } from '../view.ts';

/** What is known of a name: its records, nothing of that type, that there is none, or that others know. */
export type Known =
  | { readonly is: 'records'; readonly records: readonly NameRecord[] }
  | { readonly is: 'empty' }
  | { readonly is: 'nowhere' }
  /** The name is another one's: that is to be asked for. */
  | { readonly is: 'alias'; readonly target: string }
  | { readonly is: 'elsewhere' };

export type NameRecord =
  | { readonly type: 'A'; readonly data: string }
  | { readonly type: 'PTR'; readonly data: string }
  | { readonly type: 'SRV'; readonly data: { readonly port: number; readonly target: string } };

interface Asked {
  readonly name: string;
  readonly type: string;
  /** The namespace of the pod that asks; null for another asker. */
  readonly from: string | null;
}

export interface Ranges {
  readonly services: string;
  readonly pods: string;
}

const domain = 'cluster.local';
const [empty, nowhere, elsewhere] = [{ is: 'empty' }, { is: 'nowhere' }, { is: 'elsewhere' }] as const;

/** Names of Services and pods, in full or as far as they are clear where they are asked for. */
export function lookUp(view: View, ranges: Ranges, { name, type, from }: Asked): Known {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const end = labels.slice(-2).join('.');
  if (end === 'in-addr.arpa') return reversed(view, ranges, labels.slice(0, -2), type);
  if (end === domain) return inDomain(view, labels.slice(0, -2), type);
  if (labels.at(-1) === 'svc') return inDomain(view, labels, type);
  return inShort(view, labels, type, from);
}

/** Nobody else answers for the domain: what is not here is nowhere. */
function inDomain(view: View, labels: readonly string[], type: string): Known {
  const [namespace = '', kind] = labels.slice(-2);
  const before = labels.slice(0, -2);
  if (kind === 'pod') return podAt(view, before, namespace, type);
  // What has names below it is not nowhere.
  if (kind !== 'svc') return labels.length === 0 || isKindAlone(labels) ? empty : nowhere;
  const service = view.services.get(`${namespace}/${before.at(-1) ?? ''}`);
  if (service) return ofService(service, before.slice(0, -1), type);
  return before.length === 0 && view.namespaces.has(namespace) ? empty : nowhere;
}

const isKindAlone = (labels: readonly string[]) => labels.length === 1 && ['svc', 'pod'].includes(labels[0] ?? '');

/** `web`, `web.namespace` and `copy.web` are names of the world, too, unless a Service has them here. */
function inShort(view: View, labels: readonly string[], type: string, from: string | null): Known {
  const [last = '', beforeLast = ''] = labels.toReversed();
  const elsewhereToo = (service: ServedService | undefined, prefix: readonly string[]) =>
    service && prefix.length < 3 ? ofService(service, prefix, type) : null;
  return (
    elsewhereToo(view.services.get(`${last}/${beforeLast}`), labels.slice(0, -2)) ??
    elsewhereToo(view.services.get(`${from ?? ''}/${last}`), labels.slice(0, -1)) ??
    elsewhere
  );
}

function ofService(service: ServedService, prefix: readonly string[], type: string): Known {
  if (service.externalName !== '') return prefix.length === 0 ? { is: 'alias', target: service.externalName } : nowhere;
  const [first = '', second = ''] = prefix;
  if (prefix.length === 2 && first.startsWith('_') && second.startsWith('_'))
    return ofPort(service, first.slice(1), second.slice(1), type);
  if (prefix.length > 1) return nowhere;
  const addresses = addressesOf(service, first);
  if (prefix.length === 1 && addresses.length === 0) return nowhere;
  return records(
    type,
    'A',
    addresses.map((data) => ({ type: 'A', data })),
  );
}

/** A Service's own address; of a headless one those of its endpoints, all of them or the one of a name. */
function addressesOf(service: ServedService, hostname: string): readonly string[] {
  if (isReached(service)) return hostname === '' ? [service.clusterIP] : [];
  const ready = service.endpoints.filter((one) => one.ready && (hostname === '' || endpointName(one) === hostname));
  return [...new Set(ready.map(({ ip }) => ip))];
}

/** An endpoint without a name of its own has that of its address. */
const endpointName = ({ hostname, ip }: NetworkEndpoint) => hostname || ip.replaceAll('.', '-');

function ofPort(service: ServedService, name: string, protocol: string, type: string): Known {
  const port = service.ports.find((one) => one.name === name && one.protocol.toLowerCase() === protocol);
  if (!port) return nowhere;
  const target = fullName(service);
  if (isReached(service)) return records(type, 'SRV', [{ type: 'SRV', data: { port: port.port, target } }]);
  const each = service.endpoints
    .filter(({ ready }) => ready)
    .map((one) => {
      const at = port.backends.find(({ ip }) => ip === one.ip);
      return { type: 'SRV' as const, data: { port: at?.port ?? port.port, target: `${endpointName(one)}.${target}` } };
    });
  return records(type, 'SRV', each);
}

const fullName = ({ namespace, name }: ServedService) => `${name}.${namespace}.svc.${domain}`;

const records = (asked: string, type: NameRecord['type'], found: readonly NameRecord[]): Known =>
  (asked === type || asked === 'ANY') && found.length > 0 ? { is: 'records', records: found } : empty;

function podAt(view: View, before: readonly string[], namespace: string, type: string): Known {
  const ip = before.length === 1 ? (before[0] ?? '').replaceAll('-', '.') : '';
  return view.podsByIp.get(ip)?.namespace === namespace ? records(type, 'A', [{ type: 'A', data: ip }]) : nowhere;
}

function reversed(view: View, ranges: Ranges, labels: readonly string[], type: string): Known {
  const ip = labels.toReversed().join('.');
  const name = nameOf(view.servicesByIp.get(ip), view.podsByIp.get(ip));
  if (name !== null) return records(type, 'PTR', [{ type: 'PTR', data: name }]);
  return isWithin(ip, ranges.services) || isWithin(ip, ranges.pods) ? nowhere : elsewhere;
}

function nameOf(service: ServedService | undefined, pod: NetworkPod | undefined): string | null {
  if (service) return fullName(service);
  return pod ? `${pod.ip.replaceAll('.', '-')}.${pod.namespace}.pod.${domain}` : null;
}
