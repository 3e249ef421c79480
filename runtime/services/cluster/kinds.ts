import { coreApp } from '../../../crds/coreApp.ts';
import { coreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { coreBuild } from '../../../crds/coreBuild.ts';
import { coreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { coreCluster } from '../../../crds/coreCluster.ts';
import { coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import { coreDeployment } from '../../../crds/coreDeployment.ts';
import { coreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import { coreHAReadiness } from '../../../crds/coreHAReadiness.ts';
import { coreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { coreNetworkLog } from '../../../crds/coreNetworkLog.ts';
import { coreNode } from '../../../crds/coreNode.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { corePlatformConfig } from '../../../crds/corePlatformConfig.ts';
import { coreProject } from '../../../crds/coreProject.ts';
import { label } from '../../../crds/names.ts';
import {
  byAnnounced,
  byArchiveCloud,
  byArchivedDatabase,
  byArchiveKeys,
  byAwaitedHost,
  byAwaitedStore,
  byBackupKeys,
  byBucketServer,
  byBuilt,
  byCloud,
  byCluster,
  byConnected,
  byCopied,
  byGitHost,
  byGoing,
  byHighAvailability,
  byHost,
  byKeys,
  byLogStore,
  byNamespace,
  byOwnKeys,
  byPassword,
  byProject,
  byProvisioning,
  byPullRequest,
  byRepository,
  byRestored,
  bySecret,
  byServer,
  byShared,
  byPlace,
  bySharing,
  bySleeping,
  bySshKey,
  byStorage,
  byTagged,
  byUsed,
  byVariable,
} from './indexes.ts';
import { resourceOf } from './resources.ts';
import { byLabel, type Resource } from './cluster.ts';

/** The resources of our kinds. */
export const apps = resourceOf(coreApp, {
  indexes: [
    byProject,
    byHost,
    bySecret,
    byBuilt,
    byRepository,
    byConnected,
    byPlace,
    bySharing,
    bySleeping,
    byAnnounced,
    byCopied,
    byUsed,
    byLogStore,
  ],
});
export const backupArchives = resourceOf(coreBackupArchive, {
  indexes: [byArchivedDatabase, byArchiveCloud, byArchiveKeys],
});
export const builds = resourceOf(coreBuild, { indexes: [byLabel(label.app), byAwaitedHost, byAwaitedStore] });
export const cloudConnections = resourceOf(coreCloudConnection, { indexes: [byProject, byOwnKeys] });
export const clusters = resourceOf(coreCluster);
export const connections = resourceOf(coreGitHostConnection, { indexes: [byProject, byOwnKeys] });
export const consoleSessions = resourceOf(coreConsoleSession);
export const databases = resourceOf(coreDatabase, {
  indexes: [
    byProject,
    byShared,
    byCloud,
    byPassword,
    byHighAvailability,
    byTagged,
    byProvisioning,
    byRestored,
    byCopied,
  ],
});
export const deployments = resourceOf(coreDeployment, { indexes: [byLabel(label.app)] });
export const haReadiness = resourceOf(coreHAReadiness);
export const logicalDatabases = resourceOf(coreLogicalDatabase, { indexes: [byProject, byServer] });
export const networkLogs = resourceOf(coreNetworkLog);
export const nodes = resourceOf(coreNode, { indexes: [bySshKey] });
export const objectStores = resourceOf(coreObjectStore, { indexes: [byProject, byCloud, byBucketServer, byKeys] });
export const platformConfigs = resourceOf(corePlatformConfig);
export const projects = resourceOf(coreProject, {
  indexes: [byCluster, byGitHost, byPullRequest, byStorage, byBackupKeys, byVariable, byNamespace, byGoing],
});

/** All of our kinds, reconciled or not. */
export const everyKind: readonly Resource[] = [
  apps,
  backupArchives,
  builds,
  cloudConnections,
  clusters,
  connections,
  consoleSessions,
  databases,
  deployments,
  haReadiness,
  logicalDatabases,
  networkLogs,
  nodes,
  objectStores,
  platformConfigs,
  projects,
];
