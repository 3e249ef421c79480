/**
 * `owner/name` from `spec.repository`, which is either plain or has the https (or embedded) address of the one Git host
 * in front and `.git` behind; null when it is not a repository of that host.
 */
export function repositoryName(text: string, gitUrl: string): string | null {
  const prefix = `${gitUrl.replace(/\/+$/, '')}/`;
  const path = text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : text;
  const name = path.replace(/\/+$/, '').replace(/\.git$/, '');
  return /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/.test(name) && !/(^|\/)\.{1,2}(\/|$)/.test(name) ? name : null;
}

/** The index key of a repository: equal for every spelling, and possibly for repositories of other hosts. */
export const repositoryKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
    .join('/');
