import type { CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import type { CoreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { sharedSecrets, sharedVariables } from '../../../../rules/project/variables.ts';
import { askedHostOf } from '../../../../rules/service/hosts.ts';
import {
  any,
  byBuilt,
  byCluster,
  byConnected,
  byGitHost,
  byHost,
  byOwnKeys,
  byPlace,
  byProject,
  bySecret,
  bySharing,
  bySleeping,
  connected,
} from '../../../services/cluster/indexes.ts';
import {
  apps,
  builds,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  platformConfigs,
  projects,
} from '../../../services/cluster/kinds.ts';
import { cachedOnly, type Watching, watching } from '../../../contract/controller.ts';
import {
  dataOf,
  everyChange,
  exceptHistoryWithWords,
  settingsOf,
  specRead,
  standingOf,
} from '../../../contract/reads.ts';
import { owned } from '../../../owned/owned.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import type { Resource } from '../../../services/cluster/cluster.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../../capacity.ts';
import { namespaceDeletions } from '../../hangingNamespaces.ts';
import { hostingRead } from '../observe/host.ts';
import { replicaSets } from '../../../owned/addonKinds.ts';
import { wakeDefinitions } from '../owned/wake.ts';
import { namesBy, namesByEach } from '../../../cache/names.ts';

/** The built services of the projects that use a Git host connection. */
const builtThrough = (hosts: readonly string[], reader: CacheReader): readonly string[] =>
  namesByEach(reader, apps, byBuilt, namesByEach(reader, projects, byGitHost, hosts));

/** The built services, if this is the Secret of the platform's registry. */
const pushedWith = (secret: string, reader: CacheReader): readonly string[] =>
  reader.get(platformConfigs, platformConfigName)?.spec.registry?.credentialRef?.name === secret
    ? namesBy(reader, apps, byBuilt, any)
    : [];

/** The other services that request the host of one. */
const withHostOf = (app: CoreApp, reader: CacheReader): readonly string[] =>
  namesBy(reader, apps, byHost, askedHostOf(app)).filter((name) => name !== app.metadata.name);

/** The service that a pod or a ReplicaSet belongs to. */
const owner = ({ metadata: { labels } }: KubeObject): readonly string[] => {
  const name = labels?.[label.kind] === 'CoreApp' ? labels[label.name] : undefined;
  return name === undefined ? [] : [name];
};

/** The other resources that trigger a pass over a service. */
export const watches: readonly Watching[] = [
  watching({
    resource: builds,
    reads: exceptHistoryWithWords,
    concerns: ({ spec }, reader) => (reader.get(apps, spec.app) ? [spec.app] : []),
  }),
  watching({
    resource: projects,
    reads: settingsOf<CoreProject>(
      'clusterRef',
      'environments',
      'gitConnectionRef',
      'region',
      'requiredTags',
      'sharedVariables',
    ),
    concerns: ({ metadata }, reader) => namesBy(reader, apps, byProject, metadata.name),
  }),
  watching({
    resource: clusters,
    reads: specRead,
    concerns: ({ metadata }, reader) =>
      namesByEach(reader, apps, byProject, namesBy(reader, projects, byCluster, metadata.name)),
  }),
  // What makes an environment whole; the binding also tells how old the rights in it are.
  ...[owned.roleBindings, owned.networkPolicies].map((resource) =>
    watching<KubeObject>({
      resource,
      reads: ({ metadata }) => metadata.deletionTimestamp,
      concerns: ({ metadata }, reader) => namesBy(reader, apps, byPlace, metadata.namespace ?? ''),
    }),
  ),
  namespaceDeletions(({ metadata }, reader) => namesBy(reader, apps, byPlace, metadata.name)),
  ...wakeDefinitions.map((resource) =>
    watching({ resource, reads: standingOf, concerns: (_, reader) => namesBy(reader, apps, bySleeping, any) }),
  ),
  watching({
    resource: connections,
    reads: specRead,
    concerns: ({ metadata }, reader) => builtThrough([metadata.name], reader),
  }),
  watching({
    resource: platformConfigs,
    reads: hostingRead,
    concerns: (_, reader) => reader.list(apps).map(({ metadata }) => metadata.name),
  }),
  watching({
    resource: apps,
    reads: (app) => [askedHostOf(app), app.metadata.deletionTimestamp],
    concerns: (app, reader) => withHostOf(app, reader),
  }),
  watching({
    resource: secrets,
    reads: dataOf,
    concerns: ({ metadata: { name } }, reader) => [
      ...namesBy(reader, apps, bySecret, name),
      ...pushedWith(name, reader),
      ...builtThrough(namesBy(reader, connections, byOwnKeys, name), reader),
    ],
  }),
  ...[databases, logicalDatabases, objectStores].map((resource) =>
    watching<CoreDatabase | CoreLogicalDatabase | CoreObjectStore>({
      resource,
      reads: settingsOf<CoreDatabase | CoreLogicalDatabase | CoreObjectStore>('project', 'environment'),
      concerns: ({ metadata }, reader) => namesBy(reader, apps, byConnected, connected(resource.kind, metadata.name)),
    }),
  ),
  ...[
    { resource: owned.configMaps, name: sharedVariables },
    { resource: owned.secrets, name: sharedSecrets },
  ].map(({ resource, name }) =>
    watching<KubeObject>({
      resource,
      reads: dataOf,
      concerns: ({ metadata }, reader) =>
        metadata.name === name ? namesBy(reader, apps, bySharing, metadata.namespace ?? '') : [],
    }),
  ),
  watching({ resource: workloadPods, reads: everyChange, concerns: owner }),
  watching({ resource: replicaSets, reads: everyChange, concerns: owner }),
  // Nodes and their pods change often; a service that waits for capacity requeues instead.
  ...[unmanagedPods, clusterNodes].map((resource: Resource) => cachedOnly(resource)),
];
