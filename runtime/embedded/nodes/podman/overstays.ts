import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { listAt, numberAt, textAt } from '../../api/json.ts';
import { milli } from '../quantity.ts';
import type { Pod } from '../shapes.ts';
import type { Volumes } from './volumes.ts';

/** Why a node ends a pod that runs. */
export interface Overstay {
  readonly reason: 'DeadlineExceeded' | 'Evicted';
  readonly message: string;
}

/** How often the size of a volume with a limit is read. */
const sizeEachMs = 10_000;

interface World {
  readonly volumes: Pick<Volumes, 'sourceOf'>;
  readonly now: () => number;
}

/** Whether a pod ran longer, or filled more, than its spec allows; null where it did not. */
export async function overstayOf(world: World, pod: Pod): Promise<Overstay | null> {
  const deadline = deadlineOf(pod);
  if (deadline !== null && world.now() >= deadline)
    return { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' };
  for (const { name, limit } of limitsOf(pod)) {
    const source = world.volumes.sourceOf(pod, name);
    if (source?.is !== 'folder' || (await sizeOf(source.path)) * 1_000 <= milli(limit)) continue;
    return { reason: 'Evicted', message: `Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". ` };
  }
  return null;
}

/** When it is to be asked again; null where nothing bounds the pod. */
export function nextOverstay(pod: Pod, now: number): number | null {
  const times = [deadlineOf(pod) ?? Infinity, limitsOf(pod).length > 0 ? now + sizeEachMs : Infinity];
  const next = Math.min(...times);
  return next === Infinity ? null : next;
}

function deadlineOf({ spec, status }: Pod): number | null {
  const seconds = numberAt(spec, 'activeDeadlineSeconds');
  const startedAt = Date.parse(textAt(status, 'startTime'));
  return seconds === 0 || Number.isNaN(startedAt) ? null : startedAt + seconds * 1_000;
}

const limitsOf = ({ spec }: Pod) =>
  listAt(spec, 'volumes').flatMap((volume) => {
    const limit = textAt(volume, 'emptyDir', 'sizeLimit');
    return limit === '' ? [] : [{ name: textAt(volume, 'name'), limit }];
  });

const run = promisify(execFile);

/** By a program of its own: a container may have made more files than this process has time for. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sxB1', folder]).catch((why: { readonly stdout?: string }) => ({
    // What is removed while it is counted is told as an error, after the rest.
    stdout: why.stdout ?? '',
  }));
  return Number(stdout.split('\t', 1)[0]) || 0;
}
