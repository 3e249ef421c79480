import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const usual = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin', '/usr/lib/podman', '/usr/libexec/podman'];
/** What podman runs a pod with; of the two runtimes one is enough. */
const needed = [['podman'], ['conmon'], ['netavark'], ['iptables'], ['runc', 'crun']] as const;

interface Machine {
  readonly path: string;
  readonly uid: number | undefined;
  readonly isProgram: (file: string) => boolean;
}

const thisMachine = (): Machine => ({
  path: process.env['PATH'] ?? '',
  uid: process.getuid?.(),
  isProgram(file) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
});

/** Whether this machine has all with which podman runs pods. Whether it can is tried by whoever asks for it. */
export function isPodmanHere({ path, uid, isProgram }: Machine = thisMachine()): boolean {
  const folders = [...path.split(delimiter), ...usual];
  const has = (program: string) => folders.some((folder) => folder !== '' && isProgram(join(folder, program)));
  return uid === 0 && needed.every((programs) => programs.some(has));
}
