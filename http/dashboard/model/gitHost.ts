import type { GitInstallation } from '../../api.ts';
import { quoted } from './command.ts';

/** The command that pushes what is checked out to the branch that a service is built from. */
export const pushCommand = (gitHost: string, repository: string, branch: string): string =>
  ['git', 'push', `${gitHost.replace(/\/+$/, '')}/${repository.trim()}.git`, `HEAD:${branch.trim() || 'main'}`]
    .map(quoted)
    .join(' ');

const ownerOf = (repository: string): string => repository.trim().split('/')[0]?.toLowerCase() ?? '';

/** The installation that reads a repository: that of its owner, otherwise the only one. */
export function installationFor(
  repository: string,
  installations: readonly GitInstallation[],
): GitInstallation | undefined {
  const owned = installations.find(({ account }) => account.toLowerCase() === ownerOf(repository));
  return owned ?? (installations.length === 1 ? installations[0] : undefined);
}
