import { open } from '../words.ts';

/** What is said where nothing is set that an image could be pushed to. */
export const registryMissing = open('no container registry is set for builds');
