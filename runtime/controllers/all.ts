import type { BuilderSettings } from '../../rules/build/job.ts';
import { type ClusterSources, clusterSources } from '../../rules/cluster/addons.ts';
import { type DatabaseImages, databaseImages } from '../../rules/database/images.ts';
import { usualTunnelImage } from '../../rules/dnsProviderReady/tunnel.ts';
import { usualInstaller } from '../../rules/node/join.ts';
import { everyKind } from '../kinds.ts';
import type { OperatorOptions } from '../operator.ts';
import { appController } from './app/controller.ts';
import { buildController } from './build/controller.ts';
import { clusterController } from './cluster/controller.ts';
import { connectionController } from './connection.ts';
import { consoleSessionController } from './consoleSession.ts';
import { databaseController } from './database/controller.ts';
import { activeDeploymentController } from './deployment/active.ts';
import { deploymentRecordController } from './deployment/record.ts';
import { nodeController } from './node/controller.ts';
import { platformController } from './platform/controller.ts';
import { projectController } from './project/controller.ts';
import type { HasTokens } from './project/release.ts';
import { type Holders, noTerminals } from '../terminals/holders.ts';

/** What runs besides Core, and from where. */
export interface Sources {
  readonly databases: DatabaseImages;
  readonly cluster: ClusterSources;
  /** The command that makes a server join the cluster. */
  readonly joinInstaller: string;
  readonly tunnelImage: string;
}
const usualSources: Sources = {
  databases: databaseImages,
  cluster: clusterSources,
  joinInstaller: usualInstaller,
  tunnelImage: usualTunnelImage,
};

/** Every kind that is reconciled; every kind is cached, because facts are read from some and all are shown. */
export const everything = (
  settings: BuilderSettings,
  hasTokens?: HasTokens,
  holders: Holders = noTerminals(),
  sources: Sources = usualSources,
): Pick<OperatorOptions, 'controllers' | 'alsoSeen'> => ({
  controllers: [
    buildController(settings),
    appController(settings),
    connectionController(),
    consoleSessionController(holders),
    projectController(hasTokens),
    databaseController(sources.databases),
    clusterController(sources.cluster),
    nodeController(sources.joinInstaller),
    platformController(sources.tunnelImage),
    deploymentRecordController(),
    activeDeploymentController(),
  ],
  alsoSeen: everyKind,
});
