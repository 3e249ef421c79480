import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { VirtualTime } from '../support/virtualTime.ts';
import { listOf } from './counted.ts';

/** Moves time on from one sleeper to the next. */
export async function letPass(time: VirtualTime, ms: number): Promise<void> {
  const until = time.now() + ms;
  while (time.now() < until) await time.moveTo(Math.min(time.next() ?? until, until));
}

/** What was read in ten minutes: the one list that each cache is compared with, and everything else. */
export function compared(reads: readonly string[], caches: Caches) {
  const lists = new Set(caches.all.map(({ resource }) => listOf(resource, resource.cached)));
  const isComparison = (call: string, index: number) => lists.has(call) && reads.indexOf(call) === index;
  return {
    comparisons: reads.filter(isComparison),
    others: reads.filter((call, index) => !isComparison(call, index)),
  };
}

/** The states in which they stand, each once, and whether changes wait there. */
export function statesIn(objects: readonly (KubeObject & { readonly status?: { readonly phase?: string } })[]) {
  const states = objects.map(({ status, metadata }) => {
    const waits = metadata.annotations?.[annotation.pendingChanges] === undefined ? '' : ', changes waiting';
    return `${status?.phase ?? ''}${waits}`;
  });
  return [...new Set(states)].toSorted();
}
