import type { Stored } from '../../../store.ts';
import { type Json, at, jsonAt, listAt, same, textAt, without } from '../../json.ts';
import { closed } from '../../services/closed.ts';

const isBalanced = (spec: Json) => spec['type'] === 'LoadBalancer';
const opensPorts = (spec: Json) => isBalanced(spec) || spec['type'] === 'NodePort';
const isReachedFromOutside = (spec: Json) => opensPorts(spec) || listAt(spec, 'externalIPs').length > 0;
const checksHealth = (spec: Json) => isBalanced(spec) && textAt(spec, 'externalTrafficPolicy') === 'Local';

/** Fields that only some Services have, and which these are. */
const dependents: Readonly<Record<string, (spec: Json) => boolean>> = {
  externalTrafficPolicy: isReachedFromOutside,
  healthCheckNodePort: checksHealth,
  allocateLoadBalancerNodePorts: isBalanced,
  loadBalancerClass: isBalanced,
};

const nodePortsOf = (spec: Json) => listAt(spec, 'ports').map((port) => at(port, 'nodePort'));

/** What follows from a change of a Service: its list of addresses begins with its address, and its type leaves its own. */
export const changedService = (service: Json, old: Stored): Json => withoutDependents(withAddresses(service, old), old);

/** The list follows an address that was changed without it. */
function withAddresses(service: Json, old: Stored): Json {
  const [before, spec] = [jsonAt(old, 'spec'), jsonAt(service, 'spec')];
  const { clusterIP, clusterIPs } = spec;
  const isFollowed = clusterIP !== before['clusterIP'] && same(clusterIPs, before['clusterIPs']);
  if (!isFollowed || typeof clusterIP !== 'string' || clusterIP === '') return service;
  return { ...service, spec: { ...spec, clusterIPs: [clusterIP] } };
}

/** A Service of another type than before loses what only its old type had, unless that was asked to be another. */
function withoutDependents(service: Json, old: Stored): Json {
  const [before, spec] = [jsonAt(old, 'spec'), jsonAt(service, 'spec')];
  const gone = Object.entries(dependents).flatMap(([field, has]) =>
    has(before) && !has(spec) && same(before[field], spec[field]) ? [field] : [],
  );
  const closes = opensPorts(before) && !opensPorts(spec) && same(nodePortsOf(before), nodePortsOf(spec));
  if (gone.length === 0 && !closes) return service;
  return {
    ...service,
    spec: { ...without(spec, ...gone), ...(closes && { ports: listAt(spec, 'ports').map(closed) }) },
  };
}
