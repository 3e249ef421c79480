/** The addresses of Services: a range of their own, apart from those of pods. */
export const serviceRange = '10.96.0.0/16';

/** The address of the API itself inside the cluster, which is the first of the range. */
export const apiAddress = '10.96.0.1';

/** What pods call the API. */
export const apiHosts = [
  apiAddress,
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
] as const;

/** The address at which names are answered. */
export const dnsAddress = '10.96.0.10';

/** The address at which a server of this machine answers that pods may ask. */
export const machineAddress = '10.96.0.11';

/** The address at which requests are held for pods that sleep. */
export const wakeAddress = '10.96.0.12';

const first = 1;
const last = 2 ** 16 - 2;

/** The ports that nodes open for Services. */
export const nodePorts = { first: 30_000, last: 32_767 } as const;

/** The address at a number in the range. */
const addressAt = (index: number): string => `10.96.${index >> 8}.${index & 255}`;

export const isInRange = (address: string): boolean => {
  const [, third = '', fourth = ''] = /^10\.96\.(\d{1,3})\.(\d{1,3})$/.exec(address) ?? [];
  const index = Number(third) * 256 + Number(fourth);
  return third !== '' && Number(third) < 256 && Number(fourth) < 256 && index >= first && index <= last;
};

/** Any free one of the numbers from `from` to `to`, looked for from a place of chance; null when all are taken. */
function anyFree(from: number, to: number, isFree: (value: number) => boolean, chance: number): number | null {
  const count = to - from + 1;
  const start = Math.floor(chance * count);
  for (let step = 0; step < count; step += 1) {
    const value = from + ((start + step) % count);
    if (isFree(value)) return value;
  }
  return null;
}

/** A free address; the lower part of the range is left to those who choose their own as long as there is room. */
export function freeAddress(taken: ReadonlySet<string>, chance = Math.random()): string | null {
  const isFree = (index: number) => !taken.has(addressAt(index));
  const index = anyFree(257, last, isFree, chance) ?? anyFree(first, 256, isFree, chance);
  return index === null ? null : addressAt(index);
}

export const freePort = (taken: ReadonlySet<number>, chance = Math.random()): number | null => {
  const isFree = (port: number) => !taken.has(port);
  return (
    anyFree(nodePorts.first + 86, nodePorts.last, isFree, chance) ??
    anyFree(nodePorts.first, nodePorts.first + 85, isFree, chance)
  );
};
