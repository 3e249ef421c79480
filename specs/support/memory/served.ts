import { definitions } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { noSuchPath } from '../../../runtime/embedded/api/status.ts';
import { chartDefinition } from '../../../rules/database/charts.ts';
import { clusterDefinition } from '../../../rules/database/postgres.ts';
import type { Resource } from '../../../runtime/services/cluster.ts';
import { issuerKind } from '../certManager.ts';
import { kedaDefinitions } from '../keda/definitions.ts';
import type { MemoryStore } from './store.ts';

const addons = new Set([
  clusterDefinition,
  chartDefinition,
  ...[issuerKind, ...kedaDefinitions].map(({ metadata }) => metadata.name),
]);

/** Refuses the kinds of an add-on while the cluster has no definition of them. */
export function checkServed(store: MemoryStore, { group, plural }: Pick<Resource, 'group' | 'plural'>): void {
  const name = `${plural}.${group}`;
  if (addons.has(name) && !store.get({ bucket: definitions, namespace: '', name })) throw noSuchPath();
}

/** The bucket of the kind that a definition is of. */
export function bucketOf(definition: string): string {
  const dot = definition.indexOf('.');
  return `${definition.slice(dot + 1)}/${definition.slice(0, dot)}`;
}
