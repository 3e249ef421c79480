import { join } from 'node:path';
import { root } from '../support/product.ts';
import type { Cluster } from './fixtures/cluster.ts';
import { machineOf } from './step.ts';

interface Load {
  readonly asked: number;
  readonly failures: Readonly<Record<string, readonly number[]>>;
}

/** The fewest requests that say something about a rollout. */
const fewest = 500;

/** Visits an address while something is done, and fails where a request did; says how many were asked. */
export async function withoutLoss(
  cluster: Cluster,
  { url, seconds }: { readonly url: string; readonly seconds: number },
  meanwhile: () => Promise<void>,
): Promise<string> {
  const program = join(root, 'specs/cluster/fixtures/load.ts');
  const command = [process.execPath, '--import', 'tsx', program, url, String(seconds)];
  const visits = machineOf(cluster).within(command, { withinMs: (seconds + 30) * 1_000 });
  const [text] = await Promise.all([visits, meanwhile()]);
  const { asked, failures } = JSON.parse(text) as Load;
  const clock = (ms: number | undefined) => new Date(ms ?? 0).toISOString().slice(11, 23);
  const failed = Object.entries(failures).map(
    ([why, times]) => `${times.length} × ${why} (${clock(times[0])} to ${clock(times.at(-1))})`,
  );
  if (failed.length > 0) throw new Error(`of ${asked} requests failed: ${failed.join(', ')}`);
  if (asked < fewest) throw new Error(`only ${asked} requests were asked in ${seconds} s`);
  return `${asked} requests, none failed`;
}
