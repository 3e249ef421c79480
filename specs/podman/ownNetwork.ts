import { spawnSync } from 'node:child_process';

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
