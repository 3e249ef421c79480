import { at, listAt, numberAt, textAt } from '../../api/json.ts';
import type { Store, Stored } from '../../store.ts';
import type { Pod } from '../shapes.ts';

const apiService = { namespace: 'default', name: 'kubernetes' } as const;

/** The variables by which the containers of a pod find the API and, unless it does without, the Services beside it. */
export function serviceVariables(store: Store, pod: Pod): ReadonlyMap<string, string> {
  const own = at(pod.spec, 'enableServiceLinks') === false ? [] : store.list('/services', pod.metadata.namespace);
  const api = store.get({ bucket: '/services', ...apiService });
  return new Map([...own, ...(api ? [api] : [])].flatMap(variablesOf));
}

function variablesOf({ metadata, spec }: Stored): readonly (readonly [string, string])[] {
  const address = textAt(spec, 'clusterIP');
  const [first] = listAt(spec, 'ports');
  if (address === '' || address === 'None' || first === undefined) return [];
  const name = variableOf(metadata.name);
  const named = listAt(spec, 'ports').filter((port) => textAt(port, 'name') !== '');
  return [
    [`${name}_SERVICE_HOST`, address],
    [`${name}_SERVICE_PORT`, String(numberAt(first, 'port'))],
    ...named.map(
      (port) => [`${name}_SERVICE_PORT_${variableOf(textAt(port, 'name'))}`, String(numberAt(port, 'port'))] as const,
    ),
    [`${name}_PORT`, urlOf(address, first)],
    ...listAt(spec, 'ports').flatMap((port) => linkOf(name, address, port)),
  ];
}

function linkOf(name: string, address: string, port: unknown): readonly (readonly [string, string])[] {
  const prefix = `${name}_PORT_${numberAt(port, 'port')}_${protocolOf(port).toUpperCase()}`;
  return [
    [prefix, urlOf(address, port)],
    [`${prefix}_PROTO`, protocolOf(port)],
    [`${prefix}_PORT`, String(numberAt(port, 'port'))],
    [`${prefix}_ADDR`, address],
  ];
}

const protocolOf = (port: unknown) => (textAt(port, 'protocol') || 'TCP').toLowerCase();
const urlOf = (address: string, port: unknown) => `${protocolOf(port)}://${address}:${numberAt(port, 'port')}`;
const variableOf = (name: string) => name.toUpperCase().replaceAll('-', '_');
