import { open } from '../words.ts';

/** The first 12 characters of a commit, as people read it. */
export const shortCommit = (sha: string): string => sha.slice(0, 12);

/** Why a build failed whose Job succeeded. */
export const digestMissing = open('Builder completed without an immutable image digest');
