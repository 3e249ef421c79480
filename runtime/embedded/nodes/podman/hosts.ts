import { listAt, textAt } from '../../api/json.ts';
import type { Pod } from '../shapes.ts';

const longestName = 63;
const domain = 'cluster.local';

/** The name by which a pod knows itself, and the whole one that a Service without an address gives it. */
export function hostNamesOf({ metadata, spec }: Pod): { readonly short: string; readonly whole: string | null } {
  const short = (textAt(spec, 'hostname') || metadata.name).slice(0, longestName).replace(/[-.]+$/, '');
  const subdomain = textAt(spec, 'subdomain');
  return { short, whole: subdomain === '' ? null : `${short}.${subdomain}.${metadata.namespace ?? ''}.svc.${domain}` };
}

/** The hosts that a pod knows by name: itself, and those that its spec names. What the machine knows stays with it. */
export function hostsFile(pod: Pod, address: string): string {
  const { short, whole } = hostNamesOf(pod);
  const aliases = listAt(pod, 'spec', 'hostAliases').map((one) =>
    [textAt(one, 'ip'), ...listAt(one, 'hostnames')].join('\t'),
  );
  return [
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    [address, ...(whole === null ? [] : [whole]), short].join('\t'),
    ...(aliases.length === 0 ? [] : ['', '# Entries added by HostAliases.', ...aliases]),
    '',
  ].join('\n');
}
