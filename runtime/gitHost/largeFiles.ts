import type { Answer } from './answer.ts';

const path = /^\/[^/]+\/[^/]+\/info\/lfs(\/|$)/;

/** The response to Git LFS requests, in their own form; null for any other request. */
export const largeFilesAnswer = ({ pathname }: URL): Answer | null =>
  path.test(pathname)
    ? {
        status: 501,
        body: { message: 'large files are not served here' },
        headers: { 'content-type': 'application/vnd.git-lfs+json' },
      }
    : null;
