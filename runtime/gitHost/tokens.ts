import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../../rules/json.ts';
import { readState, savedTo } from './stateFile.ts';

interface Issued {
  readonly hash: string;
  readonly expiresAt: number;
}

const areIssued = (value: unknown): value is readonly Issued[] =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && typeof one['hash'] === 'string' && typeof one['expiresAt'] === 'number');

/** Tokens of installations; only their hashes are stored. */
export interface Tokens {
  readonly issue: () => Promise<{ readonly token: string; readonly expiresAt: string }>;
  readonly accepts: (token: string) => boolean;
}

const lifetimeMs = 3_600_000;
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

export function tokensIn(folder: string): Tokens {
  const path = join(folder, 'tokens.json');
  const issued = new Map(readState(path, [], areIssued).map((one) => [one.hash, one]));
  const save = savedTo(path, () => [...issued.values()]);
  const forgetExpired = () => {
    for (const { hash, expiresAt } of issued.values()) if (expiresAt <= Date.now()) issued.delete(hash);
  };
  return {
    issue: async () => {
      forgetExpired();
      const token = `ghs_${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, '0')}`;
      const expiresAt = Math.floor((Date.now() + lifetimeMs) / 1_000) * 1_000;
      issued.set(hashOf(token), { hash: hashOf(token), expiresAt });
      await save();
      return { token, expiresAt: new Date(expiresAt).toISOString().replace('.000', '') };
    },
    accepts: (token) => (issued.get(hashOf(token))?.expiresAt ?? 0) > Date.now(),
  };
}
