import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed, redact } from '../../rules/redaction/redact.ts';
import * as kinds from '../../runtime/kinds.ts';
import type { Resource } from '../../runtime/services/cluster.ts';
import type { Bootstrap, Stored } from '../api.ts';
import { sendRead } from '../json.ts';
import type { Routes } from '../route.ts';
import type { Serving } from '../serving.ts';

const byName = (a: Stored, b: Stored) => (a.metadata.name < b.metadata.name ? -1 : 1);

/** The whole platform in one read (document 001, Endpoints; API-003). */
export function bootstrapRoutes(routes: Routes, { operator: { caches } }: Serving): void {
  routes.on('GET /bootstrap', function readBootstrap(ctx, { view }) {
    // Only the address without a version gives an admin the secret values of a spec written by hand (SEC-018, SEC-019).
    const as: Reading = view === 'whole' && ctx.path.startsWith('/api/bootstrap') ? 'with secrets' : view;
    const all = (resource: Resource) =>
      isListed(resource.kind, view)
        ? caches
            .list(resource)
            .map((object) => storedOf(resource.kind, object, as))
            .toSorted(byName)
        : [];
    const platform = caches.get(kinds.platformConfigs, platformConfigName);
    sendRead(ctx, {
      projects: all(kinds.projects),
      apps: all(kinds.apps),
      builds: all(kinds.builds),
      databases: all(kinds.databases),
      logicalDatabases: all(kinds.logicalDatabases),
      objectStores: all(kinds.objectStores),
      backupArchives: all(kinds.backupArchives),
      deployments: all(kinds.deployments),
      clusters: all(kinds.clusters),
      nodes: all(kinds.nodes),
      connections: all(kinds.connections),
      cloudConnections: all(kinds.cloudConnections),
      consoleSessions: all(kinds.consoleSessions),
      haReadiness: all(kinds.haReadiness),
      networkLogs: all(kinds.networkLogs),
      platform: platform && isListed('CorePlatformConfig', view) ? storedOf('CorePlatformConfig', platform, as) : null,
    } satisfies Bootstrap);
  });
}

type Reading = View | 'with secrets';

/** A stored object, redacted for its reader. Annotations may repeat all of it, so only its display name is included. */
function storedOf(kind: string, object: KubeObject, as: Reading): Stored {
  const raw: Partial<Pick<Stored, 'spec' | 'status'>> = object as object;
  const { metadata, spec, status } =
    as === 'with secrets'
      ? { metadata: object.metadata, spec: raw.spec ?? {}, status: raw.status ?? {} }
      : redact(kind, object, as);
  const { name, uid, labels = {}, creationTimestamp, deletionTimestamp, annotations } = metadata;
  const displayName = annotations?.[annotation.displayName];
  return {
    metadata: {
      name,
      labels,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(displayName === undefined ? {} : { annotations: { [annotation.displayName]: displayName } }),
    },
    spec: spec as Stored['spec'],
    status: status as Stored['status'],
  };
}
