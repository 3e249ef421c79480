import { machineAddress } from '../api/services/ranges.ts';
import type { NetworkChange } from './current.ts';

interface MachineServer {
  readonly namespace: string;
  readonly name: string;
  /** Where it listens. */
  readonly server: URL;
  /** Where it is reached; left out: at the address of all such servers, and at its own port. */
  readonly at?: { readonly address: string; readonly port: number };
}

/** What leads pods, and the machine itself, to a server of the machine under one and the same address. */
export function machineServer({ namespace, name, server, at }: MachineServer): {
  readonly url: string;
  readonly changes: readonly NetworkChange[];
} {
  const { address, port } = at ?? { address: machineAddress, port: Number(server.port) };
  const named = { name, protocol: 'TCP' } as const;
  const endpoint = { ip: server.hostname, ready: true, draining: false, hostname: '' };
  const service = {
    is: 'service',
    namespace,
    name,
    clusterIP: address,
    externalName: '',
    sticky: false,
  } as const;
  return {
    url: `http://${address}:${port}`,
    changes: [
      [`machine service ${name}`, { ...service, ports: [{ ...named, port, nodePort: 0 }] }],
      [
        `machine slice ${name}`,
        {
          is: 'slice',
          namespace,
          service: name,
          ports: [{ ...named, port: Number(server.port) }],
          endpoints: [endpoint],
        },
      ],
    ],
  };
}
