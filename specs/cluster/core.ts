import { until } from '../support/until.ts';
import type { Cluster } from './fixtures/cluster.ts';

/** One object, as kubectl prints it; null where it is not. */
export const objectOf = async <T = StatusOf>({ kubectl }: Cluster, what: string): Promise<T | null> => {
  const text = await kubectl(`get ${what} --ignore-not-found -o json`);
  return text.trim() === '' ? null : (JSON.parse(text) as T);
};

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface StatusOf {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec?: unknown;
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

export const conditionIn = (object: StatusOf | null, type: string): Condition | undefined =>
  object?.status?.conditions?.find((one) => one.type === type);

/** Waits for a condition; where it does not come, the error has its last message. */
export async function untilCondition(
  cluster: Cluster,
  what: string,
  { type = 'Ready', withinMs = 120_000 } = {},
): Promise<StatusOf> {
  let last = 'it is not there';
  const comes = async () => {
    const object = await objectOf(cluster, what);
    const { status, reason = '', message = '' } = conditionIn(object, type) ?? {};
    last = object === null ? 'it is not there' : `${status ?? 'no condition'} ${reason} ${message}`;
    return status === 'True' && object;
  };
  return until(eased(comes), `${type} of ${what}`, withinMs).catch((failed: Error) => {
    throw new Error(`${failed.message} (${last})`);
  });
}

/** Every look is a process: half a second lies between two. */
export const eased =
  <T>(read: () => Promise<T>) =>
  async (): Promise<T> => {
    await pause(400);
    return read();
  };

export const pause = (ms: number) => new Promise<void>((go) => setTimeout(go, ms));

/** The pods of a namespace with their uids, but for those that ran to their end. */
export async function podsIn({ kubectl }: Cluster, namespace: string): Promise<ReadonlyMap<string, string>> {
  const columns = '-o jsonpath={range.items[*]}{.metadata.name}={.metadata.uid}={.status.phase};{end}';
  const text = await kubectl(`get pods -n ${namespace} ${columns}`);
  const pods = text
    .split(';')
    .filter((one) => one !== '')
    .map((one) => one.split('='))
    .filter(([, , phase]) => phase !== 'Succeeded');
  return new Map(pods.map(([name = '', uid = '']) => [name, uid]));
}

/** Lines of one level in the log of the Core that runs now. */
export async function loggedAt({ kubectl }: Cluster, level: 'warn' | 'error'): Promise<readonly string[]> {
  const log = await kubectl('logs -n core-system deploy/core');
  return log.split('\n').filter((line) => line.includes(`"level":"${level}"`));
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const shownLines = 5;

/** Fails with the first of those that should not be there. */
export function isNone(found: readonly string[], what: string): void {
  if (found.length > 0) throw new Error(`${found.length} ${what}: ${found.slice(0, shownLines).join('; ')}`);
}
