import { archiveLifecycle } from './lifecycle.ts';
import { type CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { label } from '../../../crds/names.ts';
import { archiveLabels } from '../../../rules/backupArchive/archive.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { backupArchives, cloudConnections, databases, projects } from '../../services/cluster/kinds.ts';
import { byArchiveCloud, byArchivedDatabase, byOwnKeys } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, specRead } from '../../contract/reads.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { backupJobs, postgresBackups, postgresClusters } from '../../owned/addonKinds.ts';
import { type Deletions, makeDeletions } from '../provisioned/deletion.ts';
import { listed, thinned } from './ensures.ts';
import type { BucketListings } from './ask/bucketListings.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';
import { derive } from './observe.ts';

/**
 * CoreBackupArchive: follows its database, is retired on its release, and purged seven days later. `deletions` are
 * shared with the database's controller, so that both count the time of a final backup from the same start.
 */
export function backupArchiveController(listings: BucketListings, deletions: Deletions = makeDeletions()): Controller {
  return controller<CoreBackupArchive>({
    resource: backupArchives,
    lifecycles: [archiveLifecycle(listings, deletions)],
    watches: [
      watching<CoreDatabase>({
        resource: databases,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => archivedOf(metadata.name, reader),
      }),
      ...([backupJobs, postgresBackups, postgresClusters] as readonly Resource[]).map((resource) =>
        watching({
          resource,
          reads: everyChange,
          concerns: ({ metadata }, reader) => archivedOf(metadata.labels?.[label.name] ?? '', reader),
        }),
      ),
      watching({
        resource: cloudConnections,
        reads: specRead,
        concerns: ({ metadata }, reader) => storedBy([metadata.name], reader),
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) =>
          storedBy(namesBy(reader, cloudConnections, byOwnKeys, metadata.name), reader),
      }),
      cachedOnly(projects),
    ],
    derive: (archive, deriving) => derive(archive, deriving, listings),
    ensures: { listed: listed(listings), thinned: thinned(listings) },
    defaults: (archive) => {
      const wanted = archiveLabels(archive.spec);
      const labels = archive.metadata.labels ?? {};
      const isSame = Object.entries(wanted).every(([name, value]) => labels[name] === value);
      return isSame ? null : { metadata: { labels: wanted } };
    },
  });
}

const archivedOf = (database: string, reader: CacheReader): readonly string[] =>
  namesBy(reader, backupArchives, byArchivedDatabase, database);

/** The archives in the accounts of these connections. */
const storedBy = (connections: readonly string[], reader: CacheReader): readonly string[] =>
  namesByEach(reader, backupArchives, byArchiveCloud, connections);
