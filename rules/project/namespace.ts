import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label, managedBy } from '../../crds/names.ts';
import { type Environment, environmentLabels, madeLabels, namespaceOf } from './environment.ts';

/** What stands under the name of an environment's namespace. */
export type NamespaceFound = 'absent' | 'unclaimed' | 'own' | 'taken' | 'ending';

/** One that names no project is unclaimed; one that names another belongs to that one (decision 68). */
export function namespaceFound(namespace: KubeObject | undefined, project: string): NamespaceFound {
  if (namespace === undefined) return 'absent';
  const owner = namespace.metadata.labels?.[label.project];
  if (owner !== undefined && owner !== project) return 'taken';
  if (namespace.metadata.deletionTimestamp !== undefined) return 'ending';
  return owner === undefined ? 'unclaimed' : 'own';
}

/** Only a namespace that the operator made carries its name, and only such a one goes with the project (decision 66). */
export const isMade = ({ metadata: { labels } }: KubeObject): boolean => labels?.[label.managedBy] === managedBy;

/** The tags that everything in the namespace needs of its node, as the admission policy reads them. */
const tagsAnnotation = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : tags.toSorted().join(',');

/** The namespace of an environment, as it is made. */
export function environmentNamespace(of: Environment, tags: readonly string[]): KubeObject {
  const required = tagsAnnotation(tags);
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceOf(of.project, of.environment),
      labels: madeLabels(of),
      ...(required === null ? {} : { annotations: { [annotation.requiredTags]: required } }),
    },
  };
}

/**
 * The merge patch that gives a namespace that is there what it lacks; null when it lacks nothing. Who made it is never
 * claimed afterwards.
 */
export function namespaceLacks(
  { metadata }: KubeObject,
  of: Environment,
  tags: readonly string[],
): { readonly metadata: object } | null {
  const labels = Object.entries(environmentLabels(of)).filter(([key, value]) => metadata.labels?.[key] !== value);
  const required = tagsAnnotation(tags);
  const tagged = (metadata.annotations?.[annotation.requiredTags] ?? null) === required;
  if (labels.length === 0 && tagged) return null;
  return {
    metadata: {
      ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
      ...(!tagged && { annotations: { [annotation.requiredTags]: required } }),
    },
  };
}
