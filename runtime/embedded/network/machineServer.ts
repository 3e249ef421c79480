import { machineAddress } from '../api/services/ranges.ts';
import type { NetworkChange } from './current.ts';

/** What leads pods, and the machine itself, to a server of the machine under one and the same address. */
export function machineServer(
  namespace: string,
  name: string,
  server: URL,
): { readonly url: string; readonly changes: readonly NetworkChange[] } {
  const port = Number(server.port);
  const named = { name, protocol: 'TCP', port } as const;
  const endpoint = { ip: server.hostname, ready: true, draining: false, hostname: '' };
  const service = {
    is: 'service',
    namespace,
    name,
    clusterIP: machineAddress,
    externalName: '',
    sticky: false,
  } as const;
  return {
    url: `http://${machineAddress}:${port}`,
    changes: [
      [`machine service ${name}`, { ...service, ports: [{ ...named, nodePort: 0 }] }],
      [`machine slice ${name}`, { is: 'slice', namespace, service: name, ports: [named], endpoints: [endpoint] }],
    ],
  };
}
