import { coreApp } from './coreApp.ts';
import { coreBuild } from './coreBuild.ts';
import { coreCluster } from './coreCluster.ts';
import { coreGitHostConnection } from './coreGitHostConnection.ts';
import { coreObjectStore } from './coreObjectStore.ts';
import { corePlatformConfig } from './corePlatformConfig.ts';
import { coreProject } from './coreProject.ts';
import type { ObjectOf } from './kind.ts';

const byName = {
  CoreApp: coreApp,
  CoreBuild: coreBuild,
  CoreCluster: coreCluster,
  CoreGitHostConnection: coreGitHostConnection,
  CoreObjectStore: coreObjectStore,
  CorePlatformConfig: corePlatformConfig,
  CoreProject: coreProject,
} as const;

type Kinds = typeof byName;
export type KindName = keyof Kinds;

/** Every kind that is served. */
export const kinds = Object.values(byName);

/** The kind of that name. */
export const kindOf = <Name extends KindName>(name: Name): Kinds[Name] => byName[name];

/** The object of the kind of that name. */
export type ObjectNamed<Name extends KindName> = ObjectOf<Kinds[Name]>;
