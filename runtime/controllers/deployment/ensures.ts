import type { DeploymentRecordEnsure } from '../../../machines/names.ts';
import { Effect } from 'effect';
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

const isRecord = ({ metadata }: CoreDeployment): boolean => !isActive(metadata.name);
const appIn = ({ metadata }: CoreDeployment): string => metadata.labels?.[label.app] ?? '';

/** The records of the deploys of a service, found by their label. */
export const recordsOf = (app: string, reader: CacheReader): readonly CoreDeployment[] =>
  app === '' ? [] : reader.indexed(deployments, label.app, app).filter(isRecord);

/** The same by a direct read, because what a cache lacks may be there. */
const storedRecordsOf = Effect.fnUntraced(function* (app: string) {
  const cluster = yield* Cluster;
  const { items } = yield* cluster
    .list(deployments, { labelSelector: `${label.app}=${app}` })
    .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Unavailable({ message: what }))));
  return items.filter(isRecord);
});

/** Deletes exactly this object; another one that has its name by now stays. */
const remove = Effect.fnUntraced(function* ({ metadata: { name, uid } }: CoreDeployment) {
  const cluster = yield* Cluster;
  yield* cluster
    .remove(deployments, { name }, uid === undefined ? {} : { uid })
    .pipe(Effect.catchTag('Conflict', () => Effect.void));
});

/** Cache or list is stale where they disagree, and no longer after this time. */
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
  for (const old of outlived) yield* remove(old);
  return holds;
});

/** Whether a record belongs to no service, or to an earlier one of the name that the present one does not adopt. */
export function isLeftOver({ metadata }: CoreDeployment, app: CoreApp | undefined): boolean {
  if (!app) return true;
  const { uid, annotations } = app.metadata;
  const written = metadata.annotations?.[annotation.ownerUid] ?? uid;
  return written !== uid && annotations?.[annotation.adopt] !== 'true';
}

/** Deletes a record that was created as its service was going, once a direct read confirms that it is gone. */
const removeLeftOver = Effect.fnUntraced(function* ({ object, reader }: Ensuring<CoreDeployment>) {
  const name = appIn(object);
  if (name === '' || !isLeftOver(object, reader.get(apps, name))) return holds;
  const app = yield* find(apps, { name });
  if (isLeftOver(object, app ?? undefined)) yield* remove(object);
  return holds;
});

/** Deletes all records of a service, before the service itself goes. */
export const removeRecordsOf = Effect.fnUntraced(function* ({ object: app }: Ensuring<CoreApp>) {
  for (const record of yield* storedRecordsOf(app.metadata.name)) yield* remove(record);
  return holds;
});

/** What every record ensures, by its name in the table. */
export const ensures: Readonly<Record<DeploymentRecordEnsure, Ensure<CoreDeployment>>> = {
  newestTwelve: { run: removeOutlived },
  ownService: { run: removeLeftOver },
};
