import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label, managedBy } from '../../crds/names.ts';
import { isOfEarlierOwner, type Owner } from '../owned/ownedObject.ts';
import { type Environment, environmentLabels, madeLabels, namespaceOf } from './environment.ts';
import { isDeleting } from '../deleting.ts';

/** The ownership of an existing namespace with an environment's name. */
export type NamespaceFound = 'absent' | 'unclaimed' | 'own' | 'taken' | 'ending';

/**
 * A namespace that names no project is unclaimed; one that names another project, or an earlier project of this name,
 * is taken (decision 68).
 */
export function namespaceFound(namespace: KubeObject | undefined, owner: Owner): NamespaceFound {
  if (namespace === undefined) return 'absent';
  const project = namespace.metadata.labels?.[label.project];
  if ((project !== undefined && project !== owner.name) || isOfEarlierOwner(namespace, owner)) return 'taken';
  if (isDeleting(namespace)) return 'ending';
  return project === undefined ? 'unclaimed' : 'own';
}

/** The namespace of an environment as found, and whether it is complete. */
export interface NamespaceSeen {
  readonly name: string;
  readonly is: NamespaceFound;
  readonly isWhole: boolean;
}

/**
 * Only a namespace that the operator created carries its name, and only such a one is deleted with the project
 * (decision 66).
 */
export const isMade = ({ metadata: { labels } }: KubeObject): boolean => labels?.[label.managedBy] === managedBy;

/** The tags that every pod of the namespace requires of its node, in the format of the admission policy. */
const tagsAnnotation = (tags: readonly string[]): string | null =>
  tags.length === 0 ? null : tags.toSorted().join(',');

/** The wanted namespace of an environment. */
export interface NamespaceWanted extends Environment {
  /** The uid of the project that it is created for. */
  readonly ownerUid: string;
  /** Tags that the project requires of nodes. */
  readonly tags: readonly string[];
}

/** The namespace of an environment at its creation. */
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
 * The merge patch that completes an existing namespace; null when it is complete. The mark of its creator is never
 * added afterwards.
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

/** The wanted values that are missing or different; null when there are none. */
function lacking(live: Values = {}, wanted: Values): Values | null {
  const differ = Object.entries(wanted).filter(([key, value]) => (live[key] ?? null) !== value);
  return differ.length === 0 ? null : Object.fromEntries(differ);
}
