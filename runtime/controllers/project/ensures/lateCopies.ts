import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { isLateCopy } from '../../../../rules/pullRequestEnvironment/copies.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byCopied } from '../../../services/cluster/indexes.ts';
import { apps, databases, projects } from '../../../services/cluster/kinds.ts';
import { type Ensure, type Ensuring, holds } from '../../../contract/ensure.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { asSeen, Cluster, type Resource } from '../../../services/cluster/cluster.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** Services before the Secrets of their variables. */
export const copiedKinds: readonly Resource<CoreApp | CoreDatabase | KubeObject>[] = [apps, databases, secrets];

/** The project of a late copy. */
export function lateCopyOf(copy: CoreApp | CoreDatabase | KubeObject, reader: CacheReader): readonly string[] {
  const [name = ''] = byCopied.keys(copy);
  const project = reader.get(projects, name);
  return project && isLateCopy(copy, project) ? [name] : [];
}

const lateIn = (project: CoreProject, reader: CacheReader) =>
  copiedKinds.flatMap((resource) =>
    reader
      .indexed(resource, byCopied.name, project.metadata.name)
      .filter((object) => !isDeleting(object) && isLateCopy(object, project))
      .map((object) => ({ resource, object })),
  );

/**
 * Deletes the copies that a paused leader created after their environment was removed. Reads the project once more,
 * because the cache may lag behind a new environment.
 */
export const lateCopiesGone: Ensure<CoreProject> = {
  schedule: { firstMs: 1_000, maxMs: 60_000 },
  run: ({ object, reader }: Ensuring<CoreProject>) =>
    Effect.gen(function* () {
      const late = lateIn(object, reader);
      if (late.length === 0) return holds;
      const cluster = yield* Cluster;
      const project = yield* cluster
        .get(projects, { name: object.metadata.name })
        .pipe(Effect.catchTag('NotFound', () => Effect.succeed(object)));
      const copies = late.filter((one) => isLateCopy(one.object, project));
      yield* eachOf(copies, ({ resource, object: copy }) =>
        cluster.remove(resource, { name: copy.metadata.name }, asSeen(copy)),
      );
      return holds;
    }),
};
