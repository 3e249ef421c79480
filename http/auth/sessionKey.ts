import { randomBytes } from 'node:crypto';
import { sessionKeyName } from './directory.ts';

const keyBytes = 32;

/** A new key for the sign-in Secret, which voids every cookie sealed with another one. */
export const newSessionKey = (): Readonly<Record<string, string>> => ({
  [sessionKeyName]: randomBytes(keyBytes).toString('base64'),
});
