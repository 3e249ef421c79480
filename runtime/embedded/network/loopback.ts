import { run } from './run.ts';

/** The addresses of Services on the machine's own interface. */
export interface Loopback {
  /** Puts there what is wanted and takes away what this data directory put there otherwise. */
  readonly bring: (wanted: ReadonlySet<string>) => Promise<void>;
}

/** The label names the owner of an address: an interface's name, a colon, and at most 12 characters. */
export const labelOf = (owner: string) => `lo:${owner.replaceAll(/[^a-z0-9]/gi, '').slice(0, 12)}`;

/** Addresses that a process before this one left are taken over, and go when nobody wants them. */
export function createLoopback(owner: string): Loopback {
  const label = labelOf(owner);
  let held: Set<string> | null = null;
  return {
    async bring(wanted) {
      const here = held ?? (await heldBy(label));
      // What is there is read again when something goes wrong.
      held = null;
      const missing = [...wanted].filter((ip) => !here.has(ip));
      const surplus = [...here].filter((ip) => !wanted.has(ip));
      const lines = [
        ...missing.map((ip) => `address add ${ip}/32 dev lo label ${label}`),
        ...surplus.map((ip) => `address delete ${ip}/32 dev lo`),
      ];
      if (lines.length > 0) await ip(['-batch', '-'], `${lines.join('\n')}\n`);
      held = new Set(wanted);
    },
  };
}

interface Interface {
  readonly addr_info?: readonly { readonly local?: string; readonly label?: string }[];
}

async function heldBy(label: string): Promise<Set<string>> {
  const found = JSON.parse(await ip(['-json', '-4', 'address', 'show', 'dev', 'lo'])) as readonly Interface[];
  const addresses = found.flatMap(({ addr_info = [] }) => addr_info);
  return new Set(addresses.filter((one) => one.label === label).flatMap(({ local }) => local ?? []));
}

const ip = (args: readonly string[], input = '') => run('ip', args, input);
