import { createHash } from 'node:crypto';

/** What a simulated Node runs on. */
export const platform = { operatingSystem: 'linux', architecture: 'amd64' } as const;

const simulated = 'simulated';

/** What the kubelet of a Node says of its machine. Clients refuse a Node that lacks a field; ids follow from the name. */
export const nodeInfoOf = (name: string) => ({
  ...platform,
  bootID: uuidOf(`boot ${name}`),
  containerRuntimeVersion: `${simulated}://1`,
  kernelVersion: simulated,
  kubeletVersion: simulated,
  kubeProxyVersion: simulated,
  machineID: digestOf(`machine ${name}`),
  osImage: simulated,
  systemUUID: uuidOf(`system ${name}`),
});

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

const uuidOf = (text: string) => digestOf(text).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
