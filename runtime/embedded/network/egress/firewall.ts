import { run } from '../run.ts';
import type { Restricted } from './rules.ts';

/** Keeps pods from going where a policy does not let them, in the machine's own tables. */
export interface Firewall {
  readonly bring: (restricted: readonly Restricted[]) => Promise<void>;
}

interface FirewallOptions {
  /** Whose chains these are, in a few letters and digits. */
  readonly owner: string;
  readonly podRange: string;
  /** What goes to a Service is let through by its proxy, or is not. */
  readonly serviceRange: string;
}

/** What leaves the machine, and what goes to an address of its own. */
const ways = ['FORWARD', 'INPUT'] as const;

/** Chains that a process before this one left are taken over. They outlive it, as the containers do. */
export function createFirewall({ owner, podRange, serviceRange }: FirewallOptions): Firewall {
  const chain = `CORE-${owner.replaceAll(/[^a-z0-9]/gi, '').slice(0, 12)}`;
  const jump = `-s ${podRange} -j ${chain}`;
  let held: string | null = null;

  function wantedLines(restricted: readonly Restricted[]): readonly string[] {
    const own = (index: number) => `${chain}-${index}`;
    const through = [`-A ${chain} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`];
    return [
      ...through,
      `-A ${chain} -d ${serviceRange} -j RETURN`,
      ...restricted.flatMap(({ from }, index) => from.map((ip) => `-A ${chain} -s ${ip}/32 -j ${own(index)}`)),
      ...restricted.flatMap(({ matches }, index) => [
        ...matches.map((match) => `-A ${own(index)} ${match} -j RETURN`),
        `-A ${own(index)} -j DROP`,
      ]),
    ];
  }

  /** All of it in one step: at no moment is a pod that is restricted less so. */
  async function replace(restricted: readonly Restricted[]) {
    const listed = (await run('iptables', ['-w', '-S'])).split('\n');
    const there = listed.flatMap((line) => line.match(/^-N (\S+)$/)?.[1] ?? []).filter((name) => isOurs(name));
    const wanted = restricted.length === 0 ? [] : [chain, ...restricted.map((_, index) => `${chain}-${index}`)];
    const hasJump = (way: string) => listed.includes(`-A ${way} ${jump}`);
    const surplus = there.filter((name) => !wanted.includes(name));
    const lines = [
      '*filter',
      ...new Set([...wanted, ...surplus].map((name) => `:${name} - [0:0]`)),
      ...(wanted.length === 0
        ? ways.filter(hasJump).map((way) => `-D ${way} ${jump}`)
        : [...ways.filter((way) => !hasJump(way)).map((way) => `-I ${way} 1 ${jump}`), ...wantedLines(restricted)]),
      ...surplus.map((name) => `-X ${name}`),
      'COMMIT',
    ];
    if (lines.length > 2) await run('iptables-restore', ['-w', '--noflush'], `${lines.join('\n')}\n`);
  }

  const isOurs = (name: string) => name === chain || name.startsWith(`${chain}-`);

  return {
    async bring(restricted) {
      const text = JSON.stringify(restricted);
      if (text === held) return;
      // What is there is read again when something goes wrong.
      held = null;
      await replace(restricted);
      held = text;
    },
  };
}
