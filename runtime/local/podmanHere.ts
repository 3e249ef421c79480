import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isProgram } from './programHere.ts';

const usual = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin', '/usr/lib/podman', '/usr/libexec/podman'];
/** The programs that podman needs to run a pod; one of the two runtimes is enough. */
const needed = [['podman'], ['conmon'], ['netavark'], ['iptables'], ['catatonit'], ['runc', 'crun']] as const;
const usualSettings = ['/usr/share/containers/containers.conf', '/etc/containers/containers.conf'];
const limitsFile = '/proc/self/limits';
/** Exists when cgroups v1 is mounted beside v2. */
const hybridFile = '/sys/fs/cgroup/unified/cgroup.controllers';
/** Podman's default limits of files and processes for root's containers. */
const usualLimit = 1_048_576;
const mayRaiseLimits = 1n << 24n;

interface Machine {
  readonly path: string;
  readonly uid: number | undefined;
  /** The files of podman's settings. */
  readonly settings: readonly string[];
  readonly isProgram: (file: string) => boolean;
  /** Null when the file does not exist. */
  readonly textIn: (file: string) => string | null;
  /** The version output of podman. */
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

/** Whether podman can probably run pods here, without trying. */
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

/** Whether podman's default limits are allowed here. */
function isAllowedLimits({ textIn }: Machine): boolean {
  const [, capabilities = '0'] = /^CapEff:\s+([0-9a-f]+)/m.exec(textIn('/proc/self/status') ?? '') ?? [];
  if ((BigInt(`0x${capabilities}`) & mayRaiseLimits) !== 0n) return true;
  const hard = [...(textIn(limitsFile) ?? '').matchAll(/^Max (?:open files|processes)\s+\S+\s+(\S+)/gm)];
  return hard.length === 2 && hard.every(([, limit]) => limit === 'unlimited' || Number(limit) >= usualLimit);
}
