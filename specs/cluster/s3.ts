import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { Machine } from './fixtures/cluster.ts';
import { tools } from './tools.ts';

export const storePrograms = ['radosgw', 'ceph-mon', 'ceph-osd', 'barman-cloud-backup'] as const;

export interface Store {
  /** As pods reach it. */
  readonly endpoint: string;
  readonly keys: Readonly<Record<'ACCESS_KEY_ID' | 'ACCESS_SECRET_KEY', string>>;
}

const [address, port] = ['10.123.0.1', 7480] as const;

/** The S3 of radosgw.sh: it listens on loopback, and pods are led to it from the address of the machine. */
export async function startStore(machine: Machine): Promise<Store> {
  const store = machine.follow([join(tools, 'radosgw.sh'), join(machine.dir, 's3')]);
  const line = await until(
    () => store.lines.find(({ text }) => text.startsWith('S3=')),
    `radosgw answers: ${store.lines.at(-1)?.text ?? ''}`,
  );
  const inside = line.text.split(':').at(-1) ?? '';
  for (const chain of ['PREROUTING', 'OUTPUT'])
    await machine.within([
      ...`iptables -t nat -A ${chain} -d ${address} -p tcp --dport ${port}`.split(' '),
      ...`-j DNAT --to-destination 127.0.0.1:${inside}`.split(' '),
    ]);
  return {
    endpoint: `http://${address}:${port}`,
    keys: { ACCESS_KEY_ID: 'HELDKEY', ACCESS_SECRET_KEY: 'heldsecret' },
  };
}
