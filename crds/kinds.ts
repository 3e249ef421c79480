import { coreApp } from './coreApp.ts';
import { coreBackupArchive } from './coreBackupArchive.ts';
import { coreBuild } from './coreBuild.ts';
import { coreCloudConnection } from './coreCloudConnection.ts';
import { coreCluster } from './coreCluster.ts';
import { coreConsoleSession } from './coreConsoleSession.ts';
import { coreDatabase } from './coreDatabase.ts';
import { coreDeployment } from './coreDeployment.ts';
import { coreGitHostConnection } from './coreGitHostConnection.ts';
import { coreHAReadiness } from './coreHAReadiness.ts';
import { coreLogicalDatabase } from './coreLogicalDatabase.ts';
import { coreNetworkLog } from './coreNetworkLog.ts';
import { coreNode } from './coreNode.ts';
import { coreObjectStore } from './coreObjectStore.ts';
import { corePlatformConfig } from './corePlatformConfig.ts';
import { coreProject } from './coreProject.ts';
import type { ObjectOf } from './kind.ts';

const byName = {
  CoreApp: coreApp,
  CoreBackupArchive: coreBackupArchive,
  CoreBuild: coreBuild,
  CoreCloudConnection: coreCloudConnection,
  CoreCluster: coreCluster,
  CoreConsoleSession: coreConsoleSession,
  CoreDatabase: coreDatabase,
  CoreDeployment: coreDeployment,
  CoreGitHostConnection: coreGitHostConnection,
  CoreHAReadiness: coreHAReadiness,
  CoreLogicalDatabase: coreLogicalDatabase,
  CoreNetworkLog: coreNetworkLog,
  CoreNode: coreNode,
  CoreObjectStore: coreObjectStore,
  CorePlatformConfig: corePlatformConfig,
  CoreProject: coreProject,
} as const;

type Kinds = typeof byName;
export type KindName = keyof Kinds;

/** Every kind that Core serves. */
export const kinds = Object.values(byName);

/** The kind with that name. */
export const kindOf = <Name extends KindName>(name: Name): Kinds[Name] => byName[name];

/** The object of the kind with that name. */
export type ObjectNamed<Name extends KindName> = ObjectOf<Kinds[Name]>;
