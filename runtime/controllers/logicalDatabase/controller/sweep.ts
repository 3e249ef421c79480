import { Effect } from 'effect';
import type { KubeObject } from '../../../../crds/kind.ts';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { annotation, label, systemNamespace } from '../../../../crds/names.ts';
import { ownLogin } from '../../../../rules/database/connection.ts';
import type { Controller } from '../../../contract/controller.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { asSeen, Cluster, type Resource } from '../../../services/cluster/cluster.ts';
import { secretText } from '../../../services/secretText.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { logicalJobs } from '../owned/jobs.ts';

interface Late {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/**
 * Deletes what a paused process wrote after the deletion of a database on a shared server. On a project's own server
 * the connection and the Job stay on purpose.
 */
export const sweepLogical: NonNullable<Controller<CoreLogicalDatabase>['onMissing']> = Effect.fnUntraced(function* (
  name,
  { reader, hasEnded },
) {
  const cluster = yield* Cluster;
  const jobs = reader
    .indexed(logicalJobs, label.logicalDatabase, name)
    .filter(({ metadata }) => metadata.namespace === systemNamespace)
    .filter(({ metadata }) => hasEnded((metadata.annotations?.[annotation.run] ?? '').split('/')[0] ?? ''));
  const secrets = reader
    .indexed(owned.secrets, ...ownedBy('CoreLogicalDatabase', name))
    .filter((secret) => secretText(secret, 'username') !== ownLogin)
    .filter(({ metadata }) => hasEnded(metadata.annotations?.[annotation.ownerUid] ?? ''));
  const late = [
    ...jobs.map((object): Late => ({ resource: logicalJobs, object })),
    ...secrets.map((object): Late => ({ resource: owned.secrets, object })),
  ];
  yield* eachOf(
    late.filter(({ object }) => !isDeleting(object)),
    ({ resource, object }) =>
      cluster.remove(resource, object.metadata, asSeen(object)).pipe(Effect.catchTag('Conflict', () => Effect.void)),
  );
});
