import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../store.ts';
import type { Marks } from '../../surroundings.ts';
import { stamp } from '../clock.ts';
import { simulatedNodes } from '../fleet.ts';
import { platform } from '../nodeInfo.ts';
import { rangeBeside } from '../podAddresses.ts';
import { machineNodes, placeOfNode, retire } from '../retired.ts';
import type { Node } from '../shapes.ts';
import type { Machine } from './probe.ts';

const mostPods = 110;

/** The address of this machine by which others reach it; that of itself where it has no other. */
export const machineAddress = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal && !one.address.startsWith('10.128.'))?.address ??
  '127.0.0.1';

const textIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
};

/** Another one after each start of the machine. */
export const bootId = (): string => textIn('/proc/sys/kernel/random/boot_id');

interface Described {
  readonly store: Store;
  readonly marks: Marks;
  readonly machine: Machine;
  readonly now: number;
  /** The subnets that podman's networks have. */
  readonly subnets: () => Promise<readonly string[]>;
}

/** Makes the one Node of this machine; Nodes that another way of running pods left behind go with their pods. */
export async function syncMachineNode({ store, marks, machine, now, subnets }: Described): Promise<void> {
  const name = machine.hostname;
  for (const old of [...simulatedNodes(store, marks), ...machineNodes(store, marks)])
    if (old.metadata.name !== name) await retire(store, old);
  const found = store.get(placeOfNode(name)) as Node | undefined;
  if (found && found.metadata.labels?.[marks.simulated] === undefined) {
    const next = { ...found, status: { ...found.status, ...statusOf(machine, { old: found, now }) } };
    if (!isDeepStrictEqual(next, found))
      await store.update(placeOfNode(name), (old) => ({ ...old, status: next.status }));
    return;
  }
  if (found) await retire(store, found);
  const range = rangeBeside(await subnets());
  await store.create(placeOfNode(name), {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': platform.architecture,
        'kubernetes.io/os': platform.operatingSystem,
        [marks.region]: 'local',
      },
      annotations: { [marks.machine]: 'podman' },
    },
    spec: { podCIDR: range, podCIDRs: [range] },
    status: statusOf(machine, { now }),
  });
}

function statusOf(machine: Machine, { old, now }: { readonly old?: Node; readonly now: number }) {
  const amounts = { cpu: String(machine.cpus), memory: String(machine.memory), pods: String(mostPods) };
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message:
      "podman runs the pods of this node as root's containers on its kernel; claims of every class are its volumes, and StatefulSets and operators are not run",
  };
  const conditions = old?.status?.['conditions'];
  const isTold = Array.isArray(conditions) && conditions.some((one) => (one as typeof ready).message === ready.message);
  return {
    capacity: amounts,
    allocatable: amounts,
    conditions: isTold ? conditions : [{ ...ready, lastHeartbeatTime: stamp(now), lastTransitionTime: stamp(now) }],
    addresses: [
      { type: 'InternalIP', address: machineAddress() },
      { type: 'Hostname', address: machine.hostname },
    ],
    nodeInfo: {
      ...platform,
      bootID: bootId(),
      containerRuntimeVersion: `podman://${machine.version}`,
      kernelVersion: machine.kernel,
      kubeletVersion: `podman-${machine.version}`,
      kubeProxyVersion: '',
      machineID: textIn('/etc/machine-id'),
      osImage: machine.os,
      systemUUID: textIn('/sys/class/dmi/id/product_uuid'),
    },
  };
}
