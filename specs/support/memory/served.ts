import { group } from '../../../crds/names.ts';
import { definitions } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { noSuchPath } from '../../../runtime/embedded/api/status.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import type { MemoryStore } from './store.ts';

const isBuiltIn = (of: string) => !of.includes('.') || of.endsWith('.k8s.io');

/** Refuses the kinds of an add-on while the cluster has no definition of its group. */
export function checkServed(store: MemoryStore, { group: of }: Pick<Resource, 'group'>): void {
  if (isBuiltIn(of) || of === group) return;
  const isServed = store.list(definitions).some(({ metadata }) => metadata.name.endsWith(`.${of}`));
  if (!isServed) throw noSuchPath();
}

/** The bucket of the kind that a definition is of. */
export function bucketOf(definition: string): string {
  const dot = definition.indexOf('.');
  return `${definition.slice(dot + 1)}/${definition.slice(0, dot)}`;
}
