import { Clock, Effect } from 'effect';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import { folderPrefix } from '../../../../rules/backup/folder.ts';
import { dumpKey, expired } from '../../../../rules/backup/points.ts';
import { engineOf } from '../../../../rules/restore/refusals.ts';
import { type Ensure, holds, ServiceFailed } from '../../../contract/ensure.ts';
import { Cloud } from '../../../services/cloud.ts';
import { bucketAccess } from '../observe/account.ts';
import { isRetired } from '../observe/archives.ts';
import type { Looks } from '../ask/lists.ts';

/** Removes the dumps that the retention does not need; the operator for Postgres does so by itself. */
export const thinned = (looks: Looks): Ensure<CoreBackupArchive> => ({
  retry: { firstMs: 60_000, mostMs: 900_000 },
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      const look = looks.of(object);
      const { project, serverName, storage, retentionDays } = object.spec;
      if (look === null || isRetired(object) || engineOf(object) === 'Postgres') return holds;
      const gone = expired(look.points, retentionDays, yield* Clock.currentTimeMillis);
      const access = bucketAccess(object.spec, reader);
      if (gone.length === 0 || access.is === 'unusable') return holds;
      const cloud = yield* Cloud;
      const prefix = folderPrefix(project, serverName);
      const keys = gone.map(({ id }) => ({ key: `${prefix}${dumpKey(id)}`, version: null }));
      const [refused] = yield* cloud
        .removeVersions(access.account, storage.bucket, keys.slice(0, 1_000))
        .pipe(Effect.mapError((failure) => new ServiceFailed({ why: failure.why })));
      if (refused) return yield* new ServiceFailed({ why: `${refused.code}: ${refused.text}` });
      looks.forget(object, gone);
      return holds;
    }),
});
