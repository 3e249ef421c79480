/** A repository of the Git host, with validated names. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export const fullName = ({ owner, name }: RepositoryName) => `${owner}/${name}`;

/** Owners cannot have the names of the first path segments that the Git host uses itself. */
const reserved = new Set(['api', 'settings', 'testing']);
const segment = /^[A-Za-z0-9_.-]{1,100}$/;

const isSafe = (text: string) => segment.test(text) && !text.includes('..') && text !== '.';

/** Parses both names; null when one is not allowed; a final `.git` of the second is dropped. */
export function repositoryName(owner: string, name: string): RepositoryName | null {
  const bare = name.replace(/\.git$/, '');
  const isOwner = isSafe(owner) && /^[A-Za-z0-9_]/.test(owner) && !reserved.has(owner);
  return isOwner && isSafe(bare) ? { owner, name: bare } : null;
}
