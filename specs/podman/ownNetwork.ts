import { spawn, spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { until } from '../support/until.ts';

const mark = 'CORE_SPEC_OWN_NETWORK';
const ip = (...args: readonly string[]) => spawnSync('ip', args, { encoding: 'utf8' });

/**
 * Runs the spec that calls it again in a network of its own, so that the machine's stays as it is; null, or why not.
 * More flags of `unshare` keep more of the machine apart, such as its mounts.
 */
export function enterOwnNetwork(...more: readonly string[]): string | null {
  if (process.env[mark] === '1') {
    ip('link', 'set', 'lo', 'up');
    return null;
  }
  const trial = spawnSync('unshare', ['-n', ...more, 'ip', '-json', 'address', 'show'], { encoding: 'utf8' });
  if (trial.status !== 0)
    return `no network of its own can be made here: ${trial.error?.message ?? trial.stderr.trim()}`;
  const args = ['-n', ...more, process.execPath, '--import', 'tsx', ...process.argv.slice(1)];
  const { status } = spawnSync('unshare', args, { stdio: 'inherit', env: { ...process.env, [mark]: '1' } });
  return process.exit(status ?? 1);
}

/** Gives the machine addresses, as if pods had them. */
export function haveAddresses(...addresses: readonly string[]): void {
  for (const address of addresses) {
    const { status, stderr } = ip('address', 'add', `${address}/32`, 'dev', 'lo');
    if (status !== 0) throw new Error(stderr);
  }
}

/** The labels of the addresses on loopback, by address. */
export function addressesHere(): ReadonlyMap<string, string> {
  const [lo] = JSON.parse(ip('-json', '-4', 'address', 'show', 'dev', 'lo').stdout) as readonly {
    readonly addr_info: readonly { readonly local: string; readonly label: string }[];
  }[];
  return new Map((lo?.addr_info ?? []).map(({ local, label }) => [local, label]));
}

/** A machine beyond this one that answers every request of these addresses with a page; gives what ends it. */
export async function machineBeyond(folder: string, ...addresses: readonly string[]): Promise<() => void> {
  const inside = [
    'ip link set lo up',
    'until ip link set beyond up 2>/dev/null; do sleep 0.1; done',
    ...addresses.map((address) => `ip address add ${address}/32 dev beyond`),
    'ip address add 192.0.2.2/24 dev beyond',
    'ip route add default via 192.0.2.1',
    `exec busybox httpd -f -p 80 -h ${folder}`,
  ];
  const child = spawn('unshare', ['-n', 'sh', '-c', inside.join('; ')], { stdio: 'ignore' });
  const networkOf = (process: string) => readlinkSync(`/proc/${process}/ns/net`);
  await until(() => networkOf(`${child.pid}`) !== networkOf('self'), 'the other machine');
  const steps = [
    ['link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'beyond', 'netns', `${child.pid}`],
    ['address', 'add', '192.0.2.1/24', 'dev', 'here'],
    ['link', 'set', 'here', 'up'],
    ...addresses.map((address) => ['route', 'add', `${address}/32`, 'via', '192.0.2.2']),
  ];
  for (const step of steps) await until(() => ip(...step).status === 0, `ip ${step.join(' ')}`);
  return () => child.kill();
}
