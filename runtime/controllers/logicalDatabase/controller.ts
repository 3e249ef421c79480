import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import { releasedName } from '../../../rules/database/charts.ts';
import { type DatabaseImages, databaseImages } from '../../../rules/database/images.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { clusters, databases, logicalDatabases, projects } from '../../services/cluster/kinds.ts';
import { byCluster, byProject } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, settingsOf } from '../../contract/reads.ts';
import { owned } from '../../owned/owned.ts';
import { chartClaims, instanceLabel, postgresClusters } from '../../owned/addonKinds.ts';
import { workloadPods } from '../capacity.ts';
import { inProjectOf, namespaceDeletions } from '../hangingNamespaces.ts';
import { isDroppedWithIt, logicalFinalizer } from './controller/finalizer.ts';
import { logicalJobs } from './owned/jobs.ts';
import { logicalDatabaseResources } from './owned.ts';
import { logicalProvisioned } from './lifecycle.ts';
import { sweepLogical } from './controller/sweep.ts';
import { onServer } from './observe.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

/** The logical databases on the server that an object is part of. */
const onServerOf = ({ metadata: { labels } }: KubeObject, reader: CacheReader): readonly string[] =>
  labels?.[label.kind] === 'CoreDatabase' ? namesOn(labels[label.name] ?? '', reader) : [];

/** CoreLogicalDatabase: creates a database, and a login for it on the shared server, by Jobs on the server. */
export function logicalDatabaseController(images: DatabaseImages = databaseImages): Controller {
  const ownedResources = logicalDatabaseResources();
  const { retry, lifecycle, ensures, readyOf } = logicalProvisioned(ownedResources, images);
  return controller<CoreLogicalDatabase>({
    resource: logicalDatabases,
    lifecycles: [retry, lifecycle],
    watches: [
      ...ownedResources.watches,
      // For the age of the rights in an environment.
      cachedOnly(owned.roleBindings),
      watching({
        resource: databases,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => namesOn(metadata.name, reader),
      }),
      watching({
        resource: projects,
        reads: settingsOf<CoreProject>('environments', 'clusterRef', 'region', 'requiredTags'),
        concerns: ({ metadata }, reader) => namesBy(reader, logicalDatabases, byProject, metadata.name),
      }),
      namespaceDeletions(inProjectOf(logicalDatabases)),
      // The default region is that of a project without one.
      watching({
        resource: clusters,
        reads: ({ spec }) => spec.defaultRegion,
        concerns: ({ metadata }, reader) =>
          namesByEach(reader, logicalDatabases, byProject, namesBy(reader, projects, byCluster, metadata.name)),
      }),
      watching({ resource: owned.secrets, reads: dataOf, concerns: onServerOf }),
      watching({ resource: postgresClusters, reads: everyChange, concerns: onServerOf }),
      watching({
        resource: chartClaims,
        reads: everyChange,
        concerns: ({ metadata }, reader) =>
          releasedName(metadata.labels?.[instanceLabel] ?? '', 'MySQL').flatMap((server) => namesOn(server, reader)),
      }),
      watching({
        resource: logicalJobs,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) => [labels?.[label.logicalDatabase] ?? ''],
      }),
      // The pods of a Job tell why it fails.
      watching({
        resource: workloadPods,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) => [labels?.[label.logicalDatabase] ?? ''],
      }),
    ],
    derive: (logical, deriving) => ({ conditions: readyOf(logical, deriving).conditions }),
    causes: (logical, deriving) => readyOf(logical, deriving).findings(),
    ensures,
    onMissing: sweepLogical,
    finalizer: { name: logicalFinalizer, isWanted: isDroppedWithIt },
  });
}

const namesOn = (server: string, reader: CacheReader): readonly string[] =>
  onServer(server, reader).map(({ metadata }) => metadata.name);
