import { open } from '../words.ts';

/** The message when no registry is configured that an image could be pushed to. */
export const registryMissing = open('no container registry is set for builds');
