import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { operatorBinding } from '../../../../rules/project/access.ts';
import { environmentsStaying } from '../../../../rules/project/deletion.ts';
import { isMade } from '../../../../rules/project/namespace.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import type { Controller } from '../../../contract/controller.ts';
import { owned } from '../../../owned/owned.ts';
import { namespaces } from '../../../services/cluster/resources.ts';
import { asSeen, Cluster } from '../../../services/cluster/cluster.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { foundOf } from '../ask.ts';

/**
 * The environments deleted in this process. A paused leader may create the namespace of one much later; it would look
 * like one whose environment was removed from the list manually, which stays (decision 67).
 */
export interface EndedEnvironments {
  readonly add: (project: CoreProject, environment: string) => void;
  /** The namespaces of such environments; an environment back on the list does not count. */
  readonly late: (project: CoreProject, reader: CacheReader) => readonly KubeObject[];
}

export function endedEnvironments(): EndedEnvironments {
  const ended = new Map<string, Set<string>>();
  return {
    add: ({ metadata: { uid = '' } }, environment) => {
      const before = ended.get(uid) ?? new Set();
      ended.set(uid, before.add(environment));
    },
    late: (project, reader) => {
      const { name, uid = '' } = project.metadata;
      const before = ended.get(uid);
      if (before === undefined) return [];
      for (const environment of environmentsStaying(project)) before.delete(environment);
      return reader
        .indexed(namespaces, label.project, name)
        .filter((one) => isMade(one) && foundOf(project, one) === 'own')
        .filter(({ metadata }) => before.has(metadata.labels?.[label.environment] ?? ''));
    },
  };
}

/** Deletes the namespaces that a paused leader created for a project already deleted in this process. */
export const sweepNamespaces: NonNullable<Controller<CoreProject>['onMissing']> = Effect.fnUntraced(function* (
  project,
  { reader, hasEnded },
) {
  const cluster = yield* Cluster;
  const late = reader
    .indexed(namespaces, label.project, project)
    .filter((one) => isMade(one) && !isDeleting(one))
    .filter(({ metadata }) => hasEnded(metadata.annotations?.[annotation.ownerUid] ?? ''));
  yield* eachOf(late, (one) => {
    const { labels } = one.metadata;
    const of = { project, environment: labels?.[label.environment] ?? '', cluster: labels?.[label.cluster] ?? '' };
    // The right to delete it comes with the binding.
    return cluster.create(owned.roleBindings, operatorBinding(of)).pipe(
      Effect.catchTag('AlreadyExists', () => Effect.void),
      Effect.andThen(cluster.remove(namespaces, one.metadata, asSeen(one))),
      Effect.catchTag('Conflict', () => Effect.void),
    );
  });
});
