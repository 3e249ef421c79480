import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import type { CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { CoreGitHostConnection } from '../../../crds/coreGitHostConnection.ts';
import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import type { CoreNode } from '../../../crds/coreNode.ts';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation, label } from '../../../crds/names.ts';
import { storageSecretName } from '../../../rules/backupStorage/place.ts';
import { nodePlacementOf } from '../../../rules/database/nodePlacement.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { gateStateOf } from '../../../rules/draftDeploy/waits.ts';
import { keysSecretName, rootSecretName } from '../../../rules/objectStore/names.ts';
import { announcedOf } from '../../../rules/project/announced.ts';
import { repositoryKey } from '../../../rules/build/repository.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { askedHostOf } from '../../../rules/service/hosts.ts';
import { variablesName } from '../../../rules/service/names.ts';
import type { Index } from './cluster.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/**
 * Builds an index by the values of a function; empty values are skipped. So is an object that lacks a required field,
 * because it was stored before the field was required.
 */
const by = <O extends KubeObject>(
  name: string,
  valuesOf: (object: O) => readonly (string | undefined)[],
): Index<O> => ({
  name,
  keys: (object) => {
    try {
      return [...new Set(valuesOf(object))].flatMap((value) => (value === undefined || value === '' ? [] : [value]));
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  },
});

interface InProject extends KubeObject {
  readonly spec: { readonly project?: string };
}

/** Objects of a project, by its name. */
export const byProject: Index<InProject> = by('project', ({ spec }) => [spec.project]);

/** The only value of an index that marks objects without naming anything. */
export const any = '*';
const where = (holds: boolean) => [holds ? any : ''];

/** The running spec of a service; for a draft, the stored one. */
const specOfService = (app: CoreApp) => runningSpec(gateStateOf('service', app), app) ?? app.spec;

/** Services by their requested public host. */
export const byHost = by('host', (app: CoreApp) => [askedHostOf(app)]);
/** Services by each Secret in core-system that they name: for variables and for pulling their image. */
export const bySecret = by('secret', (app: CoreApp) => {
  const { secretRefs = [], source, build } = specOfService(app);
  return [
    variablesName(app.metadata.name),
    ...secretRefs.map(({ name }) => name),
    source.imagePullSecretRef?.name,
    build?.registry?.credentialRef?.name,
  ];
});
/** Services that are built from a repository: by project, and all of them. */
export const byBuilt = by('built', (app: CoreApp) =>
  specOfService(app).source.git === undefined ? [] : [app.spec.project, any],
);
/** Services by their repository, as the last parts of its address. */
export const byRepository = by('repository', (app: CoreApp) => [
  repositoryKey(specOfService(app).source.git?.repository ?? ''),
]);
/** Services by their connections: kind and name. */
export const byConnected = by('connected', (app: CoreApp) =>
  (specOfService(app).connectionRefs ?? []).map(({ kind, name }) => connected(kind, name)),
);
export const connected = (kind: string, name: string): string => `${kind}/${name}`;
/** Services by their connections, now or once deployed: kind and name. */
export const byUsed = by('used', (app: CoreApp) =>
  [app.spec, specOfService(app)].flatMap(({ connectionRefs = [] }) =>
    connectionRefs.map(({ kind, name }) => connected(kind, name)),
  ),
);
/** Services by the bucket of their build logs. */
export const byLogStore = by('logStore', ({ spec }: CoreApp) => [spec.build?.logStoreRef?.name]);
/** Services that use shared variables, by the namespace of these. */
export const bySharing = by('sharing', (app: CoreApp) => {
  const { sharedVariableRefs = [], project, environment } = specOfService(app);
  return [sharedVariableRefs.length > 0 ? namespaceOf(project, environment) : ''];
});
/** Services by the namespace that they run in. */
export const byPlace = by('place', (app: CoreApp) => {
  const { project, environment } = specOfService(app);
  return [namespaceOf(project, environment)];
});
/** Services whose scaling to zero was chosen. */
export const bySleeping = by('sleeping', ({ spec }: CoreApp) => where(spec.scaleToZero !== undefined));
/** Services with a deploy announced to the webhooks of their project, by project. */
export const byAnnounced = by('announced', (app: CoreApp) => [announcedOf(app) === '' ? '' : app.spec.project]);

/** Copies for pull requests, by their project. */
export const byCopied: Index = by('copied', ({ metadata: { annotations, labels }, ...copy }: KubeObject) => {
  if (annotations?.[annotation.copyOf] === undefined) return [];
  // The Secret of a copy has no spec.
  return ['spec' in copy ? (copy as InProject).spec.project : labels?.[label.project]];
});

/** Databases and buckets by their cloud connection. */
export const byCloud = by('cloud', ({ spec }: CoreDatabase | CoreObjectStore): readonly (string | undefined)[] => [
  spec.connectionRef?.name,
]);
/** External databases by the Secret of their password. */
export const byPassword = by('password', ({ spec }: CoreDatabase) => [
  spec.placement === 'External' ? spec.passwordSecretRef?.name : '',
]);
export const byHighAvailability = by('highAvailability', ({ spec }: CoreDatabase) => where(spec.highAvailability));
/** Databases whose data stay on nodes with tags that their projects require. */
export const byTagged = by('tagged', (database: CoreDatabase) =>
  where((nodePlacementOf(database)?.required.length ?? 0) > 0),
);
/** Databases that are being provisioned. */
export const byProvisioning = by('provisioning', ({ status }: CoreDatabase) => where(status?.phase === 'Provisioning'));
/** Servers open to logical databases of every project. */
export const byShared = by('shared', ({ spec }: CoreDatabase) => where((spec.project ?? '') === ''));
/** Databases to restore that have not been ready yet, by their archive. */
export const byRestored = by('restored', ({ spec, status }: CoreDatabase) => [
  (status?.host ?? '') === '' ? spec.restoreFrom?.archive : '',
]);

/** Logical databases by their server. */
export const byServer = by('server', ({ spec }: CoreLogicalDatabase) => [spec.serverRef]);

/** Buckets by their server. */
export const byBucketServer = by('server', ({ spec }: CoreObjectStore) => [spec.serverRef?.name]);
/** Buckets by the Secrets with their keys: their own, and the root of their server. */
export const byKeys = by('keys', ({ metadata, spec }: CoreObjectStore) =>
  spec.mode === 'Server' ? [] : [keysSecretName(metadata.name), spec.serverRef && rootSecretName(spec.serverRef.name)],
);

/** Builds that wait for a Git host, by their connection. */
export const byAwaitedHost = by('awaitedHost', ({ spec, status }: CoreBuild) => {
  const { phase = '', logRef = '' } = status ?? {};
  const waits = ['', 'Pending', 'WaitingForCI'].includes(phase) || (phase === 'Failed' && logRef === '');
  return [waits ? spec.connectionRef?.name : ''];
});
/** Builds whose log is only in their pod, by the bucket that will store it. */
export const byAwaitedStore = by('awaitedStore', ({ spec, status }: CoreBuild) => [
  status?.logRef?.startsWith('pod-log:') === true ? spec.logStoreRef?.name : '',
]);

/** Git host and cloud connections by the Secret of their keys. */
export const byOwnKeys = by('keys', ({ spec }: CoreGitHostConnection | CoreCloudConnection) => [spec.secretRef.name]);
/** Servers by the Secret of their key. */
export const bySshKey = by('sshKey', ({ spec }: CoreNode) => [spec.sshKeySecretRef?.name]);

/** Projects by their cluster. */
export const byCluster = by('cluster', ({ spec }: CoreProject) => [spec.clusterRef.name]);
/** Projects by their Git host connection. */
export const byGitHost = by('gitHost', ({ spec }: CoreProject) => [spec.gitConnectionRef?.name]);
/** Projects by the repositories of pull requests that have an environment. */
export const byPullRequest = by('pullRequest', ({ status }: CoreProject) =>
  (status?.pullRequests ?? []).map(({ repository }) => repositoryKey(repository)),
);
/** Projects by the cloud connection of their backup storage. */
export const byStorage = by('storage', ({ spec }: CoreProject) => [spec.backupStorage?.connectionRef.name]);
/** Projects by the Secret with the keys of their backup bucket. */
export const byBackupKeys = by('backupKeys', ({ spec }: CoreProject) => [
  spec.backupStorage && storageSecretName(spec.backupStorage.bucket),
]);
/** Projects by the Secrets of their shared variables. */
export const byVariable = by('variable', ({ spec }: CoreProject) =>
  (spec.sharedVariables ?? []).map(({ secretRef }) => secretRef?.name),
);
/** Projects by the namespaces of their environments. */
export const byNamespace = by('namespace', ({ metadata, spec }: CoreProject) =>
  spec.environments.map((environment) => namespaceOf(metadata.name, environment)),
);
/** Projects that are being deleted. */
export const byGoing = by('going', (project: CoreProject) => where(isDeleting(project)));

/** Archives by the name of their database. */
export const byArchivedDatabase = by('database', ({ spec }: CoreBackupArchive) => [spec.database]);
/** Archives by the cloud connection of their bucket. */
export const byArchiveCloud = by('cloud', ({ spec }: CoreBackupArchive) => [spec.storage.connectionRef.name]);
/** Archives by the Secret with the keys of their bucket. */
export const byArchiveKeys = by('keys', ({ spec }: CoreBackupArchive) => [storageSecretName(spec.storage.bucket)]);
