import { closeSync, linkSync, openSync, renameSync } from 'node:fs';

/** What file systems without hard links answer. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Gives a file that is complete its name, and fails with EEXIST where something has that name. The old one may stay. */
export function nameOnce(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!withoutLinks.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // The name is taken by an empty file first, which is then replaced.
    closeSync(openSync(to, 'wx', 0o600));
    renameSync(from, to);
  }
}
