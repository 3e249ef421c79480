import { isIP } from 'node:net';
import type { Stored } from '../../../store.ts';
import { type Json, at, jsonAt, listAt, textAt, wordOf } from '../../json.ts';
import { duplicate, forbiddenField, invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { subdomainFaults } from '../metadata.ts';
import { type KindRules, defaulted, duplicates, eachItem, needs, portFaults } from './rule.ts';
import { changedService } from './serviceChange.ts';

function fillService(service: Json): Json {
  const type = textAt(service, 'spec', 'type') || 'ClusterIP';
  const spec = jsonAt(service, 'spec');
  const isOpen = type === 'NodePort' || type === 'LoadBalancer';
  return {
    ...service,
    spec: {
      ...defaulted(spec, {
        type,
        sessionAffinity: 'None',
        ...(isOpen && { externalTrafficPolicy: 'Cluster' }),
        ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
        ...(spec['sessionAffinity'] === 'ClientIP' && {
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
        }),
      }),
      ...eachItem(spec, 'ports', (port) => ({
        ...defaulted(port, { protocol: 'TCP' }),
        targetPort: port['targetPort'] || port['port'],
      })),
    },
  };
}

function serviceFaults(service: Json, old: Stored | undefined): readonly Cause[] {
  const spec = jsonAt(service, 'spec');
  const ports = listAt(spec, 'ports');
  const isNamed = spec['type'] === 'ExternalName';
  const headless = spec['clusterIP'] === 'None';
  return [
    ...(ports.length === 0 && !isNamed && !headless ? [required('spec.ports')] : []),
    ...ports.flatMap((port, index) => servicePortFaults(port, `spec.ports[${index}]`, ports.length > 1)),
    ...duplicates(ports, 'spec.ports', 'name'),
    ...samePorts(ports),
    ...addressFaults(spec),
    ...(spec['type'] === 'ClusterIP' ? ports.flatMap(nodePortFaults) : []),
    ...(isNamed && textAt(spec, 'externalName') === '' ? [required('spec.externalName')] : []),
    ...outsideFaults(spec),
    ...addressChange(service, old),
  ];
}

/** What only makes sense for a service that is reached from outside of the cluster, or by another name. */
function outsideFaults(spec: Json): readonly Cause[] {
  const name = textAt(spec, 'externalName');
  const policy = textAt(spec, 'externalTrafficPolicy');
  const isOpen = ['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type')) || listAt(spec, 'externalIPs').length > 0;
  return [
    ...(spec['type'] === 'ExternalName' && name !== ''
      ? subdomainFaults(name.replace(/\.$/, ''), 'spec.externalName')
      : []),
    ...(policy === '' || isOpen
      ? []
      : [invalidValue('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services')]),
  ];
}

const nodePortFaults = (port: unknown, index: number): readonly Cause[] =>
  at(port, 'nodePort')
    ? [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")]
    : [];

/** A number and a protocol stand for one port. */
function samePorts(ports: readonly unknown[]): readonly Cause[] {
  const known = new Set<string>();
  return ports.flatMap((port, index) => {
    const protocol = textAt(port, 'protocol') || 'TCP';
    const number = at(port, 'port') ?? 0;
    const key = `${protocol}/${wordOf(number)}`;
    if (!known.has(key)) {
      known.add(key);
      return [];
    }
    const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
    return [duplicate(`spec.ports[${index}]`, shown)];
  });
}

function addressFaults(spec: Json): readonly Cause[] {
  const address = textAt(spec, 'clusterIP');
  const [first] = listAt(spec, 'clusterIPs');
  if (first !== undefined && first !== address)
    return [invalidObject('spec.clusterIPs', spec['clusterIPs'], 'first value must match `clusterIP`')];
  if (address === '' || address === 'None' || isIP(address) > 0) return [];
  return [invalidValue('spec.clusterIPs[0]', address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

function servicePortFaults(port: unknown, path: string, many: boolean): readonly Cause[] {
  const number = at(port, 'port') ?? 0;
  return [
    ...(many && textAt(port, 'name') === '' ? [required(`${path}.name`)] : []),
    ...portFaults(number, `${path}.port`),
    ...portFaults(at(port, 'targetPort') ?? number, `${path}.targetPort`),
  ];
}

/** The address of a service is its own for as long as it has one. */
function addressChange(service: Json, old: Stored | undefined): readonly Cause[] {
  const before = textAt(old, 'spec', 'clusterIP');
  const now = textAt(service, 'spec', 'clusterIP');
  const types = [textAt(old, 'spec', 'type'), textAt(service, 'spec', 'type')];
  if (before === '' || now === '' || before === now || types.includes('ExternalName')) return [];
  return [
    {
      field: 'spec.clusterIPs[0]',
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify([now])}: may not change once set`,
    },
  ];
}

export const service: KindRules = { change: changedService, fill: fillService, faults: serviceFaults };

export const endpoints: KindRules = {
  faults: (object) => listAt(object, 'subsets').flatMap((subset, index) => subsetFaults(subset, `subsets[${index}]`)),
  fill: (object) => ({
    ...object,
    ...eachItem(object, 'subsets', (subset) => ({
      ...subset,
      ...eachItem(subset, 'ports', (port) => ({ protocol: 'TCP', ...port })),
    })),
  }),
};

function subsetFaults(subset: unknown, path: string): readonly Cause[] {
  const addresses = ['addresses', 'notReadyAddresses'].flatMap((field) =>
    listAt(subset, field).map((one, index) => ({ ip: textAt(one, 'ip'), field: `${path}.${field}[${index}].ip` })),
  );
  return [
    ...addresses
      .filter(({ ip }) => isIP(ip) === 0)
      .flatMap(({ ip, field }) => [
        invalidValue(field, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
        invalidValue(field, ip, 'must be a valid IP address'),
      ]),
    ...listAt(subset, 'ports').flatMap((port, index) =>
      portFaults(at(port, 'port') ?? 0, `${path}.ports[${index}].port`),
    ),
  ];
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

export const endpointSlice: KindRules = {
  fill: (object) => ({ ...object, ...eachItem(object, 'ports', (port) => ({ name: '', protocol: 'TCP', ...port })) }),
  faults: (object) => {
    const type = textAt(object, 'addressType');
    return type === '' || addressTypes.includes(type)
      ? needs('addressType')(object)
      : [notSupported('addressType', type, addressTypes)];
  },
};
