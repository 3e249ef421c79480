import type { CoreApp } from '../../../crds/coreApp.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { sharedSecrets, sharedVariables } from '../../../rules/project/variables.ts';
import { askedHostOf } from '../../../rules/service/hosts.ts';
import {
  apps,
  builds,
  byHost,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  platformConfigs,
  projects,
} from '../../kinds.ts';
import { type Watching, watching } from '../../lifecycle.ts';
import { owned } from '../../owned/owned.ts';
import { secrets } from '../../resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Resource } from '../../services/cluster.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../room.ts';
import { specOf } from './gate.ts';
import { pullSecretOf } from './settled.ts';
import { replicaSets } from './resources.ts';
import { variablesName } from '../../../rules/service/names.ts';
import { wakeDefinitions } from './wake.ts';

const namesWhere = (reader: CacheReader, holds: (app: CoreApp) => boolean): readonly string[] =>
  reader
    .list(apps)
    .filter(holds)
    .map(({ metadata }) => metadata.name);

const ofGit = (reader: CacheReader) => namesWhere(reader, ({ spec }) => spec.source.git !== undefined);
const inProject = (reader: CacheReader, project: string) => namesWhere(reader, (app) => app.spec.project === project);
const isToken = (reader: CacheReader, secret: string) =>
  reader.list(connections).some(({ spec }) => spec.secretRef.name === secret);

/** The services that read a Secret of core-system: their variables, what their image is pulled with. */
const readersOf = (reader: CacheReader, secret: string): readonly string[] =>
  namesWhere(reader, (app) => {
    const spec = specOf(app);
    return (
      variablesName(app.metadata.name) === secret ||
      (spec.secretRefs ?? []).some(({ name }) => name === secret) ||
      pullSecretOf({ ...app, spec }, reader) === secret
    );
  });

const connectedTo = (reader: CacheReader, kind: string, database: string) =>
  namesWhere(reader, (app) =>
    (specOf(app).connectionRefs ?? []).some((ref) => ref.kind === kind && ref.name === database),
  );

/** The services that read the shared variables of a namespace. */
const sharingIn = (reader: CacheReader, namespace: string) =>
  namesWhere(reader, (app) => {
    const { sharedVariableRefs = [], project, environment } = specOf(app);
    return sharedVariableRefs.length > 0 && namespaceOf(project, environment) === namespace;
  });

/** The other services that ask for the host of one. */
const withHostOf = (app: CoreApp, reader: CacheReader): readonly string[] =>
  reader
    .indexed(apps, byHost.name, askedHostOf(app))
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== app.metadata.name);

/** The service that a pod or a ReplicaSet belongs to. */
const owner = ({ metadata: { labels } }: KubeObject): readonly string[] => {
  const name = labels?.[label.kind] === 'CoreApp' ? labels[label.name] : undefined;
  return name === undefined ? [] : [name];
};

/** What besides its own objects triggers a pass over a service. */
export const watches: readonly Watching[] = [
  watching({ resource: builds, concerns: ({ spec }, reader) => (reader.get(apps, spec.app) ? [spec.app] : []) }),
  watching({ resource: projects, concerns: ({ metadata }, reader) => inProject(reader, metadata.name) }),
  watching({
    resource: clusters,
    concerns: ({ metadata }, reader) =>
      reader
        .list(projects)
        .filter(({ spec }) => spec.clusterRef.name === metadata.name)
        .flatMap((project) => inProject(reader, project.metadata.name)),
  }),
  // How old the rights in an environment are.
  watching({ resource: owned.roleBindings, concerns: () => [] }),
  ...wakeDefinitions.map((resource) =>
    watching({ resource, concerns: (_, reader) => namesWhere(reader, ({ spec }) => spec.scaleToZero !== undefined) }),
  ),
  watching({ resource: connections, concerns: (_, reader) => ofGit(reader) }),
  // Registry and domain of the platform.
  watching({ resource: platformConfigs, concerns: (_, reader) => namesWhere(reader, () => true) }),
  watching({ resource: apps, concerns: (app, reader) => withHostOf(app, reader) }),
  watching({
    resource: secrets,
    concerns: ({ metadata: { name } }, reader) => [
      ...readersOf(reader, name),
      ...(isToken(reader, name) ? ofGit(reader) : []),
    ],
  }),
  watching({
    resource: databases,
    concerns: ({ metadata }, reader) => connectedTo(reader, 'CoreDatabase', metadata.name),
  }),
  watching({
    resource: logicalDatabases,
    concerns: ({ metadata }, reader) => connectedTo(reader, 'CoreLogicalDatabase', metadata.name),
  }),
  watching({
    resource: objectStores,
    concerns: ({ metadata }, reader) => connectedTo(reader, 'CoreObjectStore', metadata.name),
  }),
  ...[
    { resource: owned.configMaps, name: sharedVariables },
    { resource: owned.secrets, name: sharedSecrets },
  ].map(({ resource, name }) =>
    watching<KubeObject>({
      resource,
      concerns: ({ metadata }, reader) => (metadata.name === name ? sharingIn(reader, metadata.namespace ?? '') : []),
    }),
  ),
  watching({ resource: workloadPods, concerns: owner }),
  watching({ resource: replicaSets, concerns: owner }),
  // Nodes come and go with their pods: a service that waits for room requeues by itself.
  ...[unmanagedPods, clusterNodes].map((resource: Resource) => watching({ resource, concerns: () => [] })),
];
