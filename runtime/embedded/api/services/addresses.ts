import type { Stored } from '../../store.ts';
import { type Json, isJson, jsonAt, listAt, numberAt, textAt, without } from '../json.ts';
import { invalidValue } from '../schema/cause.ts';
import { type Cause, internal, invalid } from '../status.ts';
import type { ApiStore } from '../store/store.ts';
import { createUnderWay } from '../store/underWay.ts';
import { closed } from './closed.ts';
import { freeAddress, freePort, isInRange, nodePorts, serviceRange } from './ranges.ts';

const where = '/services';

/** What the Services there are have taken; writes under way are counted by those who make them. */
interface Taken {
  readonly addresses: Set<string>;
  readonly ports: Set<number>;
}

/** The Services whose writes are under way. */
const underWay = createUnderWay();

/** Gives a Service what it lacks of addresses and node ports for the time of a write, which then holds them. */
export function withAddresses<T>(
  store: ApiStore,
  write: (addressed: (service: Json, old: Stored | undefined) => Json) => Promise<T>,
): Promise<T> {
  return underWay.during(store, (count) =>
    write((service, old) => {
      const whole = addressed(service, old, takenIn(store, service));
      count(whole);
      return whole;
    }),
  );
}

function takenIn(store: ApiStore, service: Json): Taken {
  const uid = textAt(service, 'metadata', 'uid');
  const others = [...store.list(where), ...underWay.of(store)].filter((one) => textAt(one, 'metadata', 'uid') !== uid);
  const addresses = others.flatMap((one) => addressesOf(one));
  const ports = others.flatMap((one) => portsOf(one));
  return { addresses: new Set(addresses), ports: new Set(ports) };
}

function addressesOf(service: unknown): readonly string[] {
  const address = textAt(service, 'spec', 'clusterIP');
  return address === '' || address === 'None' ? [] : [address];
}

const portsOf = (service: unknown): readonly number[] =>
  [
    ...listAt(service, 'spec', 'ports').map((port) => numberAt(port, 'nodePort')),
    numberAt(service, 'spec', 'healthCheckNodePort'),
  ].filter((port) => port !== 0);

/** The Service with its addresses and ports, those of its last version kept; refuses what is taken or out of range. */
function addressed(service: Json, old: Stored | undefined, taken: Taken): Json {
  const type = textAt(service, 'spec', 'type') || 'ClusterIP';
  const spec = type === 'ExternalName' ? withoutAddresses(service) : withAddress(service, old, taken);
  const opensPorts = type === 'NodePort' || type === 'LoadBalancer';
  const ports = listAt(spec, 'ports');
  const whole =
    ports.length === 0 ? spec : { ...spec, ports: opensPorts ? withPorts(service, old, taken) : ports.map(closed) };
  return { ...service, spec: whole };
}

const withoutAddresses = (service: Json): Json =>
  without(jsonAt(service, 'spec'), 'clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy');

function withAddress(service: Json, old: Stored | undefined, taken: Taken): Json {
  const spec = jsonAt(service, 'spec');
  const before = textAt(old, 'spec', 'type') === 'ExternalName' ? '' : textAt(old, 'spec', 'clusterIP');
  const asked = textAt(spec, 'clusterIP') || before;
  const clusterIP = asked === '' ? newAddress(taken) : asked;
  if (asked !== '' && asked !== 'None' && asked !== before) checkAddress(service, asked, taken);
  return {
    ...spec,
    clusterIP,
    clusterIPs: [clusterIP],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: textAt(spec, 'internalTrafficPolicy') || 'Cluster',
  };
}

function newAddress({ addresses }: Taken): string {
  const found = freeAddress(addresses);
  if (found === null) throw internal('failed to allocate a serviceIP: range is full');
  return found;
}

function checkAddress(service: Json, address: string, { addresses }: Taken): void {
  const refuse = (why: string) =>
    refusal(service, {
      field: 'spec.clusterIPs',
      reason: 'FieldValueInvalid',
      message: `Invalid value: ["${address}"]: failed to allocate IP ${address}: ${why}`,
    });
  if (!isInRange(address))
    throw refuse(`the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`);
  if (addresses.has(address)) throw refuse('provided IP is already allocated');
}

function withPorts(service: Json, old: Stored | undefined, taken: Taken): readonly unknown[] {
  const before = listAt(old, 'spec', 'ports');
  const used = new Set(taken.ports);
  return listAt(service, 'spec', 'ports').map((port, index) => {
    if (!isJson(port)) return port;
    const same = before.find(
      (one) => numberAt(one, 'port') === port['port'] && textAt(one, 'protocol') === textAt(port, 'protocol'),
    );
    const kept = numberAt(same, 'nodePort');
    const asked = numberAt(port, 'nodePort') || kept;
    if (asked !== 0 && asked !== kept) checkPort(service, asked, { index, used });
    const nodePort = asked !== 0 ? asked : freePort(used);
    if (nodePort === null) throw internal('failed to allocate a nodePort: range is full');
    used.add(nodePort);
    return { ...port, nodePort };
  });
}

function checkPort(
  service: Json,
  port: number,
  { index, used }: { readonly index: number; readonly used: ReadonlySet<number> },
) {
  const field = `spec.ports[${index}].nodePort`;
  if (port < nodePorts.first || port > nodePorts.last)
    throw refusal(
      service,
      invalidValue(
        field,
        port,
        `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`,
      ),
    );
  if (used.has(port)) throw refusal(service, invalidValue(field, port, 'provided port is already allocated'));
}

const refusal = (service: Json, cause: Cause) => invalid('', 'Service', textAt(service, 'metadata', 'name'), [cause]);
