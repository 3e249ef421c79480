import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { type RunningCloud, startCloud } from '../../../runtime/local/cloud/server.ts';
import { bodiesOf } from '../../../runtime/local/cloud/orphans.ts';
import { apply, type Change, emptyState } from '../../../runtime/local/cloud/state.ts';
import { rootKey } from '../memory/cloud.ts';
import { until } from '../until.ts';

/** The embedded cloud over HTTP, in a folder of its own. */
export interface ServedCloud extends RunningCloud {
  readonly client: (config?: Partial<S3ClientConfig>) => S3Client;
  /** A digest of everything it keeps: its changes and each body that they lead to, byte for byte. */
  readonly kept: () => string;
  /** The files of bodies, those among them that nothing names until they are removed. */
  readonly bodies: () => readonly string[];
  /** Resolves once no body is left that nothing names. */
  readonly settled: () => Promise<unknown>;
  readonly logged: readonly string[];
}

export const otherKey = { account: '222222222222', accessKeyId: 'AKIATHEIRS', secret: 'their-secret' };

export async function servedCloud(): Promise<ServedCloud> {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-served-cloud-'));
  const logged: string[] = [];
  const log = (message: string, fields: object) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const accounts = [rootKey, otherKey];
  const { url, stop } = await startCloud({ accounts, dataDir, host: '127.0.0.1', port: 0, log });
  const clients: S3Client[] = [];
  const folder = join(dataDir, 'bodies');
  const changes = () => readFileSync(join(dataDir, 'changes.ndjson'), 'utf8');
  const seen = { text: '', named: [] as readonly string[] };
  const named = (text = changes()) => {
    if (text === seen.text) return seen.named;
    const state = emptyState();
    for (const line of text.split('\n')) if (line !== '') apply(state, JSON.parse(line) as Change);
    return Object.assign(seen, { text, named: [...bodiesOf(state)] }).named;
  };
  return {
    url,
    logged,
    client: (config = {}) => {
      const client = new S3Client({
        endpoint: url,
        region: 'us-east-1',
        forcePathStyle: true,
        disableHostPrefix: true,
        maxAttempts: 1,
        credentials: { accessKeyId: rootKey.accessKeyId, secretAccessKey: rootKey.secret },
        ...config,
      });
      clients.push(client);
      return client;
    },
    kept: () => {
      const hash = createHash('sha256').update(changes());
      for (const name of named()) hash.update(name).update(readFileSync(join(folder, name)));
      return hash.digest('hex');
    },
    bodies: () => readdirSync(folder),
    settled: () => until(() => readdirSync(folder).length === named().length, 'no body is left over'),
    stop: async () => {
      for (const client of clients) client.destroy();
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a request comes to: the status, and the code of a refusal. */
export async function outcomeOf(
  sent: Promise<{ readonly $metadata: { readonly httpStatusCode?: number } }>,
): Promise<string> {
  try {
    return String((await sent).$metadata.httpStatusCode);
  } catch (error) {
    const { name, $metadata } = error as Error & { readonly $metadata?: { readonly httpStatusCode?: number } };
    return `${$metadata?.httpStatusCode ?? String(error)} ${name}`;
  }
}
