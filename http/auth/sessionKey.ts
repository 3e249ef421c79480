import { randomBytes } from 'node:crypto';
import { sessionKeyName } from './directory.ts';

const keyBytes = 32;

/** The part of the sign-in Secret that holds a new key: every cookie sealed with another one is void. */
export const newSessionKey = (): Readonly<Record<string, string>> => ({
  [sessionKeyName]: randomBytes(keyBytes).toString('base64'),
});
