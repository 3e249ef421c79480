import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptFile, makeFolder, textsIn } from '../../embedded/index.ts';

/** The key of the embedded cloud's only account, which is in a Secret of core-system from the start. */
export interface CloudKey {
  readonly account: string;
  readonly accessKeyId: string;
  readonly secret: string;
}

const fields = ['account', 'accessKeyId', 'secret'] as const satisfies readonly (keyof CloudKey)[];

/** The key that the first start drew. */
export function keptCloudKey(folder: string): CloudKey {
  const path = join(folder, 'account.json');
  if (existsSync(path)) return keptFile(path, (text) => textsIn(text, fields));
  makeFolder(folder, 0o700);
  const key: CloudKey = {
    account: '000000000000',
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secret: randomBytes(30).toString('base64url'),
  };
  writeFileSync(`${path}.new`, JSON.stringify(key), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return key;
}
