import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { definitionOf } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import type { VirtualTime } from '../support/virtualTime.ts';
import type { TestEnvironment } from '../support/environment.ts';
import { listOf } from './counted.ts';

/** Adds a condition to the project that is another each minute, which nobody who reads it decides on. */
export const tellOfProject = ({ cluster }: TestEnvironment, minute: number): Promise<unknown> => {
  const [project] = cluster.all(projects);
  const told = { type: 'Told', status: 'True', reason: `Minute${minute}`, message: '' } as const;
  const others = (project?.status?.conditions ?? []).filter(({ type }) => type !== told.type);
  const conditions = [...others, { ...told, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  return Effect.runPromise(cluster.patchStatus(projects, { name: 'shop' }, { conditions }));
};

/** Moves time on from one sleeper to the next. */
export async function letPass(time: VirtualTime, ms: number): Promise<void> {
  const until = time.now() + ms;
  while (time.now() < until) await time.moveTo(Math.min(time.next() ?? until, until));
}

/** The list that a cache is compared with; where its kind has no definition, the look for that definition. */
const comparisonsOf = (resource: Resource): readonly string[] => {
  const definition = definitionOf(`${resource.plural}.${resource.group}`);
  return [listOf(resource, resource.cached), listOf(definition, definition.cached)];
};

/** What was read in ten minutes: the one list that each cache is compared with, and everything else. */
export function compared(reads: readonly string[], caches: Caches) {
  const due = caches.all.flatMap(({ resource }) => comparisonsOf(resource));
  const isComparison = (call: string) => due.includes(call) && due.splice(due.indexOf(call), 1).length > 0;
  const comparisons: string[] = [];
  const others: string[] = [];
  for (const call of reads) (isComparison(call) ? comparisons : others).push(call);
  return { comparisons, others };
}

/** The states in which they stand, each once, and whether changes wait there. */
export function statesIn(objects: readonly (KubeObject & { readonly status?: { readonly phase?: string } })[]) {
  const states = objects.map(({ status, metadata }) => {
    const waits = metadata.annotations?.[annotation.pendingChanges] === undefined ? '' : ', changes waiting';
    return `${status?.phase ?? ''}${waits}`;
  });
  return [...new Set(states)].toSorted();
}
