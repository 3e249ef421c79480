import { type CoreApp, coreApp } from '../crds/coreApp.ts';
import { type CoreBackupArchive, coreBackupArchive } from '../crds/coreBackupArchive.ts';
import { coreBuild } from '../crds/coreBuild.ts';
import { coreCloudConnection } from '../crds/coreCloudConnection.ts';
import { coreCluster } from '../crds/coreCluster.ts';
import { coreConsoleSession } from '../crds/coreConsoleSession.ts';
import { coreDatabase } from '../crds/coreDatabase.ts';
import { coreDeployment } from '../crds/coreDeployment.ts';
import { coreGitHostConnection } from '../crds/coreGitHostConnection.ts';
import { coreHAReadiness } from '../crds/coreHAReadiness.ts';
import { type CoreLogicalDatabase, coreLogicalDatabase } from '../crds/coreLogicalDatabase.ts';
import { coreNetworkLog } from '../crds/coreNetworkLog.ts';
import { coreNode } from '../crds/coreNode.ts';
import { coreObjectStore } from '../crds/coreObjectStore.ts';
import { corePlatformConfig } from '../crds/corePlatformConfig.ts';
import { coreProject } from '../crds/coreProject.ts';
import { label } from '../crds/names.ts';
import { askedHostOf } from '../rules/service/hosts.ts';
import { resourceOf } from './resources.ts';
import { byLabel, type Resource } from './services/cluster.ts';

/** The resources of our kinds. */
/** Finds services by the public host that they ask for. */
export const byHost = { name: 'host', keys: (app: CoreApp) => [askedHostOf(app)].filter((host) => host !== '') };
export const apps = resourceOf(coreApp, { indexes: [byHost] });
/** Finds archives by the name of their database. */
export const byArchivedDatabase = { name: 'database', keys: ({ spec }: CoreBackupArchive) => [spec.database] };
export const backupArchives = resourceOf(coreBackupArchive, { indexes: [byArchivedDatabase] });
export const builds = resourceOf(coreBuild, { indexes: [byLabel(label.app)] });
export const cloudConnections = resourceOf(coreCloudConnection);
export const clusters = resourceOf(coreCluster);
export const connections = resourceOf(coreGitHostConnection);
export const consoleSessions = resourceOf(coreConsoleSession);
export const databases = resourceOf(coreDatabase);
export const deployments = resourceOf(coreDeployment, { indexes: [byLabel(label.app)] });
export const haReadiness = resourceOf(coreHAReadiness);
/** Finds logical databases by the server that they are on. */
export const byServer = { name: 'server', keys: ({ spec }: CoreLogicalDatabase) => [spec.serverRef] };
export const logicalDatabases = resourceOf(coreLogicalDatabase, { indexes: [byServer] });
export const networkLogs = resourceOf(coreNetworkLog);
export const nodes = resourceOf(coreNode);
export const objectStores = resourceOf(coreObjectStore);
export const platformConfigs = resourceOf(corePlatformConfig);
export const projects = resourceOf(coreProject);

/** All of them, reconciled or not. */
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
