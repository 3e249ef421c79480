import type { Stored } from '../../store.ts';
import { at, listAt, numberAt, textAt, wordOf } from '../json.ts';
import { aged, joined, labelsText, path, text, wide } from './cell.ts';
import { type Column, nameColumn } from './column.ts';

const addresses = (object: Stored) =>
  listAt(object, 'status', 'loadBalancer', 'ingress').map((one) => textAt(one, 'ip') || textAt(one, 'hostname'));

function externalAddress(service: Stored): string {
  const given = listAt(service, 'spec', 'externalIPs').map(wordOf);
  switch (textAt(service, 'spec', 'type')) {
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    case 'LoadBalancer': {
      const all = [...addresses(service), ...given];
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    default:
      return joined(given);
  }
}

function servicePorts(service: Stored): string {
  return joined(
    listAt(service, 'spec', 'ports').map((port) => {
      const nodePort = numberAt(port, 'nodePort');
      return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol') || 'TCP'}`;
    }),
  );
}

/** A few of many, with the number of the rest. */
const someOf = (all: readonly string[]): string => {
  if (all.length === 0) return '<none>';
  const rest = all.length - 3;
  return `${all.slice(0, 3).join(',')}${rest > 0 ? ` + ${rest} more...` : ''}`;
};

const endpointsOf = (endpoints: Stored) =>
  listAt(endpoints, 'subsets').flatMap((subset) => {
    const ips = listAt(subset, 'addresses').map((one) => textAt(one, 'ip'));
    const ports = listAt(subset, 'ports').map((one) => numberAt(one, 'port'));
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => `${ip}:${port}`));
  });

function slicePorts(slice: Stored): string {
  const ports = listAt(slice, 'ports').map((port) => wordOf(at(port, 'port') ?? '*'));
  return ports.length === 0 ? '<unset>' : someOf(ports);
}

const sliceEndpoints = (slice: Stored): string => {
  const ips = listAt(slice, 'endpoints').flatMap((one) => listAt(one, 'addresses').map(wordOf));
  return ips.length === 0 ? '<unset>' : someOf(ips);
};

function hostsOf(ingress: Stored): string {
  const hosts = listAt(ingress, 'spec', 'rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '');
  return hosts.length === 0 ? '*' : someOf(hosts);
}

const parametersOf = (ingressClass: Stored): string => {
  const parameters = at(ingressClass, 'spec', 'parameters');
  if (parameters === undefined) return '<none>';
  const group = textAt(parameters, 'apiGroup');
  return `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
};

/** The columns of the kinds that lead traffic to pods. */
export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  Service: [
    nameColumn,
    text('Type', path('spec', 'type')),
    text('Cluster-IP', path('spec', 'clusterIP')),
    text('External-IP', externalAddress),
    text('Port(s)', servicePorts),
    aged,
    wide('Selector', (service) => labelsText(at(service, 'spec', 'selector'))),
  ],
  Endpoints: [nameColumn, text('Endpoints', (one) => someOf(endpointsOf(one))), aged],
  EndpointSlice: [
    nameColumn,
    text('AddressType', path('addressType')),
    text('Ports', slicePorts),
    text('Endpoints', sliceEndpoints),
    aged,
  ],
  Ingress: [
    nameColumn,
    text('Class', path('spec', 'ingressClassName')),
    text('Hosts', hostsOf),
    text('Address', (ingress) => addresses(ingress).join(',')),
    text('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    aged,
  ],
  IngressClass: [nameColumn, text('Controller', path('spec', 'controller')), text('Parameters', parametersOf), aged],
  NetworkPolicy: [
    nameColumn,
    text('Pod-Selector', (policy) => labelsText(at(policy, 'spec', 'podSelector', 'matchLabels'))),
    aged,
  ],
};
