import { readFileSync } from 'node:fs';
import { at, listAt, textAt } from '../../api/json.ts';
import type { Pod } from '../shapes.ts';

/** How a pod resolves names. */
export interface Resolver {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

const none: Resolver = { servers: [], searches: [], options: [] };
/** Without one podman takes the machine's own. */
const root = '.';

/** The cluster's names, the machine's own, or none, as the pod asks for them, with what its `dnsConfig` adds. */
export function resolverOf(pod: Pod, address: string | null): { readonly dns?: Resolver } {
  const policy = textAt(pod, 'spec', 'dnsPolicy');
  const added = configOf(pod);
  if (policy === 'None') return { dns: added };
  if (address === null || policy === 'Default') return added === none ? {} : { dns: joined(machine(), added) };
  const searches = [`${pod.metadata.namespace ?? ''}.svc.cluster.local`, 'svc.cluster.local', 'cluster.local'];
  return { dns: joined({ servers: [address], searches, options: ['ndots:5'] }, added) };
}

function configOf({ spec }: Pod): Resolver {
  if (at(spec, 'dnsConfig') === undefined) return none;
  const texts = (field: string) => listAt(spec, 'dnsConfig', field).filter((one) => typeof one === 'string');
  const options = listAt(spec, 'dnsConfig', 'options').map((one) =>
    optionText(textAt(one, 'name'), textAt(one, 'value')),
  );
  return { servers: texts('nameservers'), searches: texts('searches'), options };
}

const optionText = (name: string, value: string) => (value === '' ? name : `${name}:${value}`);
const nameOf = (option: string) => option.split(':', 1)[0];

/** An option that is given twice counts as it was added. */
function joined(first: Resolver, added: Resolver): Resolver {
  const kept = first.options.filter((one) => !added.options.some((other) => nameOf(other) === nameOf(one)));
  const searches = [...new Set([...first.searches, ...added.searches])];
  return {
    servers: [...new Set([...first.servers, ...added.servers])],
    searches: searches.length === 0 ? [root] : searches,
    options: [...kept, ...added.options],
  };
}

/** What the machine resolves names by. */
function machine(): Resolver {
  const lines = readFileSync('/etc/resolv.conf', 'utf8').split('\n');
  const words = (first: string) =>
    lines.map((line) => line.trim().split(/\s+/)).flatMap(([name, ...rest]) => (name === first ? rest : []));
  return { servers: words('nameserver'), searches: words('search'), options: words('options') };
}
