import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label, managedBy } from '../../crds/names.ts';
import { isOfAnotherLife, type Owner } from '../owned/ownedObject.ts';
import { type Environment, environmentLabels, madeLabels, namespaceOf } from './environment.ts';

/** What stands under the name of an environment's namespace. */
export type NamespaceFound = 'absent' | 'unclaimed' | 'own' | 'taken' | 'ending';

/**
 * One that names no project is unclaimed; one that names another, or was made for another life of this one, is taken
 * (decision 68).
 */
export function namespaceFound(namespace: KubeObject | undefined, owner: Owner): NamespaceFound {
  if (namespace === undefined) return 'absent';
  const project = namespace.metadata.labels?.[label.project];
  if ((project !== undefined && project !== owner.name) || isOfAnotherLife(namespace, owner)) return 'taken';
  if (namespace.metadata.deletionTimestamp !== undefined) return 'ending';
  return project === undefined ? 'unclaimed' : 'own';
}

/** The namespace of an environment as it was found, and whether it is all that it should be. */
export interface NamespaceSeen {
  readonly name: string;
  readonly is: NamespaceFound;
  readonly isWhole: boolean;
}

/** Only a namespace that the operator made carries its name, and only such a one goes with the project (decision 66). */
export const isMade = ({ metadata: { labels } }: KubeObject): boolean => labels?.[label.managedBy] === managedBy;

/** The tags that everything in the namespace needs of its node, as the admission policy reads them. */
const tagsAnnotation = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : tags.toSorted().join(',');

/** What is wanted of the namespace of an environment. */
export interface NamespaceWanted extends Environment {
  /** The life of the project that it is made for. */
  readonly ownerUid: string;
  /** Tags that the project requires of nodes. */
  readonly tags: readonly string[];
}

/** The namespace of an environment, as it is made. */
export function environmentNamespace({ tags, ownerUid, ...of }: NamespaceWanted): KubeObject {
  const required = tagsAnnotation(tags);
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespaceOf(of.project, of.environment),
      labels: madeLabels(of),
      annotations: {
        [annotation.ownerUid]: ownerUid,
        ...(required === null ? {} : { [annotation.requiredTags]: required }),
      },
    },
  };
}

/**
 * The merge patch that gives a namespace that is there what it lacks; null when it lacks nothing. Who made it is never
 * claimed afterwards.
 */
export function namespaceLacks(
  namespace: KubeObject,
  { tags, ownerUid, ...of }: NamespaceWanted,
): { readonly metadata: object } | null {
  const { metadata } = namespace;
  const labels = lacking(metadata.labels, environmentLabels(of));
  const annotations = lacking(metadata.annotations, {
    [annotation.requiredTags]: tagsAnnotation(tags),
    ...(isMade(namespace) ? { [annotation.ownerUid]: ownerUid } : {}),
  });
  if (labels === null && annotations === null) return null;
  return { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } };
}

type Values = Readonly<Record<string, string | null>>;

/** Those of the wanted values that do not stand; null where all do. */
function lacking(stands: Values = {}, wanted: Values): Values | null {
  const differ = Object.entries(wanted).filter(([key, value]) => (stands[key] ?? null) !== value);
  return differ.length === 0 ? null : Object.fromEntries(differ);
}
