import type { LogLine } from '../api/podLogs.ts';
import type { Store, Stored } from '../store.ts';
import { planKept, withPlan } from './plan.ts';
import { type Pod, bucket, isOver, placeOf } from './shapes.ts';
import { statusesOf } from './podStatus.ts';
import type { CutShort } from './timeline.ts';

interface Ending {
  readonly name: string;
  readonly code: number;
  readonly at: number;
  readonly log?: readonly LogLine[];
}

/** Lets the run of a container end now, as if its program had. */
export async function endRun(store: Store, pod: Stored, { name, code, at, log }: Ending): Promise<void> {
  const place = placeOf(bucket.pods, pod);
  if (store.get(place)?.metadata.uid !== pod.metadata.uid) return;
  await store.update(place, (stored) => {
    const old = stored as Pod;
    const plan = planKept(old);
    const container = plan?.containers[name];
    if (!plan || !container || old.metadata.uid !== pod.metadata.uid || isOver(old)) return stored;
    const run = statusesOf(old.status).find((status) => status.name === name)?.restartCount ?? 0;
    const end = { at, exitCode: code, ...(log && { log: newest(log) }) };
    const ends = { ...withoutOldLogs(container.ends ?? {}, run), [run]: end };
    return withPlan(old, { ...plan, containers: { ...plan.containers, [name]: { ...container, ends } } });
  });
}

/** The log of a run is read after it, and after the next one has begun; then no more. */
const withoutOldLogs = (ends: Readonly<Record<number, CutShort>>, run: number) =>
  Object.fromEntries(
    Object.entries(ends).map(([count, end]) => {
      const { log, ...rest } = end;
      return [count, Number(count) === run - 1 && log ? end : rest];
    }),
  );

/** So much of a log stays with its pod. */
const longestKept = 16 * 1024;

function newest(log: readonly LogLine[]): NonNullable<CutShort['log']> {
  let length = 0;
  const from = log.findLastIndex(({ text }) => (length += text.length) > longestKept);
  return log.slice(from + 1).map(({ at, text }) => [at, text] as const);
}
