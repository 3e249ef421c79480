import type { KubeObject } from '../../crds/kind.ts';
import { label } from '../../crds/names.ts';
import type { CacheReader } from '../cache/reader.ts';
import { namesBy } from '../cache/names.ts';
import { type Watching, watching } from '../contract/controller.ts';
import { byProject } from '../services/cluster/indexes.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { namespaces } from '../services/cluster/resources.ts';

type InProject = KubeObject & { readonly spec: { readonly project?: string } };

/**
 * Wakes the objects in a namespace when its deletion begins or ends: what was given up for it learns that it is over.
 */
export const namespaceDeletions = (concerns: Watching['concerns']): Watching =>
  watching({ resource: namespaces, reads: ({ metadata }) => metadata.deletionTimestamp, concerns });

/** The objects of a kind in the project of a namespace. */
export const inProjectOf =
  (resource: Resource<InProject>) =>
  ({ metadata: { labels } }: KubeObject, reader: CacheReader): readonly string[] =>
    namesBy(reader, resource, byProject, labels?.[label.project] ?? '');
