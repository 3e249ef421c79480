import type { DeploymentRecordEnsure } from '../../../machines/names.ts';
import { Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { annotation, label } from '../../../crds/names.ts';
import { isActive } from '../../../rules/activeDeployment/name.ts';
import { outlivedRecords } from '../../../rules/deploymentRecord/newer.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { apps, deployments } from '../../services/cluster/kinds.ts';
import { type Ensure, type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';
import { Unavailable, Cluster, type Refused } from '../../services/cluster/cluster.ts';
import { find } from '../../services/cluster/find.ts';

const isDeploymentRecord = ({ metadata }: CoreDeployment): boolean => !isActive(metadata.name);
const appIn = ({ metadata }: CoreDeployment): string => metadata.labels?.[label.app] ?? '';

/** The records of the deploys of a service, found by their label. */
export const recordsOf = (app: string, reader: CacheReader): readonly CoreDeployment[] =>
  app === '' ? [] : reader.indexed(deployments, label.app, app).filter(isDeploymentRecord);

/** The same by a direct read, because the cache may lag. */
const storedRecordsOf = Effect.fnUntraced(function* (app: string) {
  const cluster = yield* Cluster;
  const { items } = yield* cluster
    .list(deployments, { labelSelector: `${label.app}=${app}` })
    .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Unavailable({ message: what }))));
  return items.filter(isDeploymentRecord);
});

/** Deletes exactly this object, not a later one of its name. */
const remove = Effect.fnUntraced(function* ({ metadata: { name, uid } }: CoreDeployment) {
  const cluster = yield* Cluster;
  yield* cluster
    .remove(deployments, { name }, uid === undefined ? {} : { uid })
    .pipe(Effect.catchTag('Conflict', () => Effect.void));
});

/** How long cache and list may disagree, because one is stale. */
const disagreeMs = 5_000;

/** Deletes the records of a service beyond the newest, the oldest first. */
const removeOutlived = Effect.fnUntraced(function* ({
  object,
  reader,
}: Ensuring<CoreDeployment>): Effect.fn.Return<Ensured, Refused | Unavailable, Cluster> {
  const app = appIn(object);
  if (outlivedRecords(recordsOf(app, reader)).length === 0) return holds;
  const outlived = outlivedRecords(yield* storedRecordsOf(app));
  if (outlived.length === 0) return { is: 'waits', afterMs: disagreeMs };
  yield* eachOf(outlived, remove);
  return holds;
});

/** Whether a record belongs to no service, or to an earlier one of the name that the current one does not adopt. */
export function isLeftOver({ metadata }: CoreDeployment, app: CoreApp | undefined): boolean {
  if (!app) return true;
  const { uid, annotations } = app.metadata;
  const written = metadata.annotations?.[annotation.ownerUid] ?? uid;
  return written !== uid && annotations?.[annotation.adopt] !== 'true';
}

/**
 * Deletes a record created while its service was terminating, once a direct read confirms that the service is deleted.
 */
const removeLeftOver = Effect.fnUntraced(function* ({ object, reader }: Ensuring<CoreDeployment>) {
  const name = appIn(object);
  if (name === '' || !isLeftOver(object, reader.get(apps, name))) return holds;
  const app = yield* find(apps, { name });
  if (isLeftOver(object, app ?? undefined)) yield* remove(object);
  return holds;
});

/** Deletes all records of a service, before the service is removed. */
export const removeRecordsOf = Effect.fnUntraced(function* ({ object: app }: Ensuring<CoreApp>) {
  yield* eachOf(yield* storedRecordsOf(app.metadata.name), remove);
  return holds;
});

/** The ensures of a record, by their names in the table. */
export const ensures: Readonly<Record<DeploymentRecordEnsure, Ensure<CoreDeployment>>> = {
  newestTwelve: { run: removeOutlived },
  ownService: { run: removeLeftOver },
};
