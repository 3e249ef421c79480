import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What holds passwords, keys, tokens or Secrets, below a data directory and it itself. */
const confidential = [
  '.',
  'cloud',
  'cloud/account.json',
  'cloud/bodies',
  'cloud/changes.ndjson',
  'endpoints.json',
  'git',
  'git-app.json',
  'journal',
  'kubeconfig',
  'metrics',
  'metrics/pki',
  'metrics/pki/certificates.json',
  'objects',
  'objects/objects.mdb',
  'objects/objects.mdb-lock',
  'operator.kubeconfig',
  'pki',
  'pki/certificates.json',
  'pki/service-accounts.key',
  'token',
];

const others = 0o077;

/** A path that others had access to, and why they have it still, if they do. */
export interface Open {
  readonly path: string;
  readonly failure: string | null;
}

/** Takes from everybody but the owner what a data directory keeps; returns what was open to others. */
export function closeToOthers(dataDir: string): readonly Open[] {
  return confidential.flatMap((name) => {
    const path = join(dataDir, name);
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    if ((mode & others) === 0) return [];
    return [{ path, failure: change(path, mode & ~others) }];
  });
}

/** Null when it is done. A volume may belong to another user, who lets this one use it. */
function change(path: string, mode: number): string | null {
  try {
    chmodSync(path, mode);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
