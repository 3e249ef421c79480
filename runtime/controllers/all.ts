import type { BuilderSettings } from '../../rules/build/job.ts';
import { type ClusterSources, clusterSources } from '../../rules/cluster/addons.ts';
import { type DatabaseImages, databaseImages } from '../../rules/database/images.ts';
import { usualTunnelImage } from '../../rules/dnsProviderReady/tunnel.ts';
import { usualInstaller } from '../../rules/node/join.ts';
import { everyKind } from '../services/cluster/kinds.ts';
import type { Controller } from '../contract/controller.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { appController } from './app/controller.ts';
import { backupArchiveController } from './backupArchive/controller.ts';
import { bucketListings } from './backupArchive/ask/bucketListings.ts';
import { buildController } from './build/controller.ts';
import { clusterController } from './cluster/controller.ts';
import { cloudConnectionController } from './cloudConnection/controller.ts';
import { backupStorages } from './cloudAccess/storage.ts';
import { connectionController } from './gitHostConnection/controller.ts';
import { consoleSessionController } from './consoleSession/controller.ts';
import { databaseController } from './database/controller.ts';
import { makeDeletions } from './provisioned/deletion.ts';
import { activeDeploymentController } from './deployment/lifecycles/activeDeployment/controller.ts';
import { deploymentRecordController } from './deployment/controller.ts';
import { nodeController } from './node/controller.ts';
import { platformController } from './platformConfig/controller.ts';
import { haReadinessController } from './haReadiness/controller.ts';
import { logicalDatabaseController } from './logicalDatabase/controller.ts';
import { objectStoreImage } from '../../rules/objectStore/objects.ts';
import { objectStoreController } from './objectStore/controller.ts';
import { projectController } from './project/controller.ts';
import type { HasTokens } from './project/actions/release.ts';
import type { Sender } from '../services/webhooks/sender.ts';
import { type Holders, noTerminals } from './consoleSession/observe.ts';

/** Sources of what Core installs besides itself. */
interface Sources {
  readonly databases: DatabaseImages;
  /** The image of object store servers. */
  readonly objectStore: string;
  readonly cluster: ClusterSources;
  /** The command that joins a server to the cluster. */
  readonly joinInstaller: string;
  readonly tunnelImage: string;
}
const usualSources: Sources = {
  databases: databaseImages,
  objectStore: objectStoreImage,
  cluster: clusterSources,
  joinInstaller: usualInstaller,
  tunnelImage: usualTunnelImage,
};

/** Options of the process that runs the controllers. */
export interface Hosting {
  readonly builder: BuilderSettings;
  readonly hasTokens?: HasTokens;
  readonly holders?: Holders;
  readonly sender?: Sender;
  readonly sources?: Sources;
  /** The port for visitors of this machine's own hosts; null when there is none. */
  readonly visitorsPort?: number | null;
}

/** Builds all controllers; every kind is cached, because facts are read from some and all are listed. */
export function everything({
  builder,
  hasTokens,
  holders = noTerminals(),
  sender,
  sources = usualSources,
  visitorsPort = null,
}: Hosting): { readonly controllers: readonly Controller[]; readonly alsoSeen: readonly Resource[] } {
  const storages = backupStorages();
  const listings = bucketListings(storages);
  const deletions = makeDeletions();
  return {
    controllers: [
      buildController(builder),
      appController({ ...builder, visitorsPort }),
      connectionController(),
      cloudConnectionController(),
      objectStoreController(sources.objectStore),
      consoleSessionController(holders),
      projectController({ hasTokens, storages, sender, gitUrl: builder.gitUrl }),
      databaseController(sources.databases, listings, deletions),
      backupArchiveController(listings, deletions),
      logicalDatabaseController(sources.databases),
      haReadinessController(),
      clusterController(sources.cluster),
      nodeController(sources.joinInstaller),
      platformController(sources.tunnelImage),
      deploymentRecordController(),
      activeDeploymentController(),
    ],
    alsoSeen: everyKind,
  };
}
