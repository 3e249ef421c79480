import type { Answer } from './answer.ts';

const path = /^\/[^/]+\/[^/]+\/info\/lfs(\/|$)/;

/** The answer to what Git LFS asks of a repository, in its own form; null for any other request. */
export const largeFilesAnswer = ({ pathname }: URL): Answer | null =>
  path.test(pathname)
    ? {
        status: 501,
        body: { message: 'large files are not served here' },
        headers: { 'content-type': 'application/vnd.git-lfs+json' },
      }
    : null;
