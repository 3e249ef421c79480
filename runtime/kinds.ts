import { coreApp } from '../crds/coreApp.ts';
import { coreBuild } from '../crds/coreBuild.ts';
import { coreCluster } from '../crds/coreCluster.ts';
import { coreGitHostConnection } from '../crds/coreGitHostConnection.ts';
import { coreObjectStore } from '../crds/coreObjectStore.ts';
import { corePlatformConfig } from '../crds/corePlatformConfig.ts';
import { coreProject } from '../crds/coreProject.ts';
import { label } from '../crds/names.ts';
import { resourceOf } from './resources.ts';
import { byLabel } from './services/cluster.ts';

/** Where the kinds of ours are served. */
export const apps = resourceOf(coreApp);
export const builds = resourceOf(coreBuild, { indexes: [byLabel(label.app)] });
export const clusters = resourceOf(coreCluster);
export const connections = resourceOf(coreGitHostConnection);
export const objectStores = resourceOf(coreObjectStore);
export const platformConfigs = resourceOf(corePlatformConfig);
export const projects = resourceOf(coreProject);
