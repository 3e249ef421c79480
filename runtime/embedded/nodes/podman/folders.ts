import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../makeFolder.ts';

/** Where a node keeps what belongs to its pods. */
export interface Folders {
  /** Tells the containers of this data directory from those of another. */
  readonly id: string;
  readonly service: string;
  /** The file with the images that this node brought to the machine. */
  readonly images: string;
  readonly ofPod: (uid: string) => string;
  /** In memory only: for secrets. */
  readonly inMemory: (uid: string) => string;
  readonly logOf: (uid: string, container: string, run: number) => string;
  readonly messageOf: (uid: string, container: string, run: number) => string;
  /** The file with the hosts that a pod knows by name. */
  readonly hostsOf: (uid: string) => string;
  /** The uids of the pods that something is kept of. */
  readonly pods: () => readonly string[];
  readonly remove: (uid: string) => void;
}

const memory = '/dev/shm';

const rootIn = (dataDir: string): string => join(dataDir, 'podman');

/** Whether pods of a data directory ran in containers. */
export const ranWithPodman = (dataDir: string): boolean => existsSync(rootIn(dataDir));

export function foldersIn(dataDir: string): Folders {
  const root = rootIn(dataDir);
  const pods = join(root, 'pods');
  makeFolder(pods, 0o700);
  const id = keptId(join(root, 'id'));
  const secrets = join(memory, `core-${id}`);
  const run = (folder: string, uid: string, container: string, count: number) =>
    join(pods, uid, folder, container, String(count));
  return {
    id,
    // The path of a socket may be no longer than some hundred characters, and a data directory may lie deep.
    service: join('/run', `core-${id}`),
    images: join(root, 'images'),
    ofPod: (uid) => join(pods, uid),
    inMemory: (uid) => join(secrets, uid),
    logOf: (uid, container, count) => run('logs', uid, container, count),
    messageOf: (uid, container, count) => run('messages', uid, container, count),
    hostsOf: (uid) => join(pods, uid, 'hosts'),
    pods: () => [...new Set([...namesIn(pods), ...namesIn(secrets)])],
    remove(uid) {
      for (const folder of [join(pods, uid), join(secrets, uid)]) rmSync(folder, { recursive: true, force: true });
      if (existsSync(secrets) && namesIn(secrets).length === 0) rmSync(secrets, { recursive: true, force: true });
    },
  };
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

function keptId(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const id = randomUUID().replaceAll('-', '').slice(0, 12);
  writeFileSync(file, `${id}\n`, { mode: 0o600 });
  return id;
}
