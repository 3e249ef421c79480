import { Effect } from 'effect';
import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import { serverNameOf } from '../../../../../rules/backup/names.ts';
import { newArchive } from '../../../../../rules/backupArchive/archive.ts';
import { archiveName } from '../../../../../rules/backupArchive/name.ts';
import { backupArchives, projects } from '../../../../services/cluster/kinds.ts';
import { done, type Ensure, type Ensured, type Ensuring, holds } from '../../../../contract/ensure.ts';
import { Cluster } from '../../../../services/cluster/cluster.ts';
import { isDeleting } from '../../../../../rules/deleting.ts';
import { gateOf, specOf } from '../../../../../rules/database/deployed.ts';
import { archiveOf, isRetired, type BucketListings } from '../../../backupArchive/read.ts';
const soon: Ensured = { is: 'waits', afterMs: 60_000 };

/** Creates an archive in the project's storage when none is active, once the storage works and its region is known. */
export const archiveKept = (listings: BucketListings): Ensure<CoreDatabase> => ({
  schedule: { firstMs: 5_000, maxMs: 300_000 },
  run: ({ object, reader, add }: Ensuring<CoreDatabase>) =>
    Effect.gen(function* () {
      if (isDeleting(object) || archiveOf(object, reader)) return holds;
      const spec = specOf(object, gateOf(object));
      const project = spec.project ?? '';
      const storage = reader.get(projects, project)?.spec.backupStorage;
      if (!storage) return holds;
      const state = yield* listings.storages.reconcile({ project, ...storage }, reader);
      if (state.is !== 'working') return soon;
      // The cache may not show an archive just created or retired.
      const { items } = yield* (yield* Cluster)
        .list(backupArchives)
        .pipe(Effect.catchTag('Gone', () => Effect.succeed({ items: [] })));
      const own = items.filter((one) => one.spec.databaseUID === object.metadata.uid);
      if (own.some((one) => !isRetired(one))) return soon;
      const name = archiveName(
        serverNameOf(object.metadata.name, object.metadata.uid ?? ''),
        items.map(({ metadata }) => metadata.name),
      );
      const { connectionRef, bucket } = storage;
      const made = newArchive(object, spec, { name, storage: { connectionRef, bucket, region: state.region } });
      yield* add(backupArchives, made).pipe(Effect.catchTag('AlreadyExists', () => Effect.void));
      return done;
    }),
});
