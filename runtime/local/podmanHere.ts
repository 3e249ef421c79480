import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isProgram } from './programHere.ts';

const usual = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin', '/usr/lib/podman', '/usr/libexec/podman'];
/** What podman runs a pod with; of the two runtimes one is enough. */
const needed = [['podman'], ['conmon'], ['netavark'], ['iptables'], ['catatonit'], ['runc', 'crun']] as const;
const usualSettings = ['/usr/share/containers/containers.conf', '/etc/containers/containers.conf'];
const limitsFile = '/proc/self/limits';
/** Is there where version 1 of cgroups is mounted beside version 2. */
const hybridFile = '/sys/fs/cgroup/unified/cgroup.controllers';
/** What podman lets root's containers open and start unless it is told otherwise. */
const usualLimit = 1_048_576;
const mayRaiseLimits = 1n << 24n;

interface Machine {
  readonly path: string;
  readonly uid: number | undefined;
  /** The files of podman's settings. */
  readonly settings: readonly string[];
  readonly isProgram: (file: string) => boolean;
  /** Null where there is no such file. */
  readonly textIn: (file: string) => string | null;
  /** What podman says of its version. */
  readonly version: () => Promise<string>;
}

const execute = promisify(execFile);

const thisMachine = (): Machine => ({
  path: process.env['PATH'] ?? '',
  uid: process.getuid?.(),
  settings: process.env['CONTAINERS_CONF'] === undefined ? usualSettings : [process.env['CONTAINERS_CONF']],
  isProgram,
  textIn(file) {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  },
  version: () =>
    execute('podman', ['--version'], { timeout: 5_000 }).then(
      ({ stdout }) => stdout,
      () => '',
    ),
});

/** Whether podman would run pods here, as far as that can be told without running one. */
export async function isPodmanHere(machine: Machine = thisMachine()): Promise<boolean> {
  const { path, uid, isProgram } = machine;
  const folders = [...path.split(delimiter), ...usual];
  const has = (program: string) => folders.some((folder) => folder !== '' && isProgram(join(folder, program)));
  if (uid !== 0 || !needed.every((programs) => programs.some(has))) return false;
  const settings = machine.settings.map((file) => machine.textIn(file) ?? '').join('\n');
  if (machine.textIn(hybridFile) !== null && has('crun') && !/^\s*runtime\s*=\s*"runc"/m.test(settings)) return false;
  if (!isAllowedLimits(machine) && !/^\s*default_ulimits\s*=/m.test(settings)) return false;
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(await machine.version()) ?? [];
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 3);
}

/** Whether containers may be given the limits that podman gives them by itself. */
function isAllowedLimits({ textIn }: Machine): boolean {
  const [, capabilities = '0'] = /^CapEff:\s+([0-9a-f]+)/m.exec(textIn('/proc/self/status') ?? '') ?? [];
  if ((BigInt(`0x${capabilities}`) & mayRaiseLimits) !== 0n) return true;
  const hard = [...(textIn(limitsFile) ?? '').matchAll(/^Max (?:open files|processes)\s+\S+\s+(\S+)/gm)];
  return hard.length === 2 && hard.every(([, limit]) => limit === 'unlimited' || Number(limit) >= usualLimit);
}
