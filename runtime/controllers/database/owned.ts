import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { bootstrapSecretName, hasLogin, type Login } from '../../../rules/database/connection.ts';
import { isManaged, namespaceOf } from '../../../rules/database/effective.ts';
import { bootstrapSecret, connectionSecret } from '../../../rules/database/secrets.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { isInitialised } from '../../../rules/database/postgres.ts';
import { misnamedOf } from '../../../rules/database/misnamed.ts';
import type { Workload } from '../../../rules/database/settled.ts';
import { unsupportedOf } from '../../../rules/database/unsupported.ts';
import { workloadObjects } from '../../../rules/database/workload.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { isTemplated, withLogsOnError } from '../../../rules/owned/logsOnError.ts';
import type { Fixed } from '../../../rules/owned/ownedObject.ts';
import { databases } from '../../services/cluster/kinds.ts';
import {
  type Diff,
  isInSync,
  makeOwned,
  type Outcome,
  type Owned,
  owned,
  type OwnedObject,
  emptyDiff,
} from '../../owned/owned.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { helmCharts, postgresClusters } from '../../owned/addonKinds.ts';
import { hasPostgres } from './observe/runs.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Cluster, Gone, ReadError, Resource, WriteError } from '../../services/cluster/cluster.ts';
import { archivingOf, isBackupSecret, restoreSecret } from './lifecycles/databaseBackup/owned/parts.ts';
import type { Discarded, Targets } from './actions/restore.ts';
import { loginOf } from './owned/login.ts';
import { settledOf } from './observe/settled.ts';
import { type ManagedMemory, managedMemory } from './lifecycles/managedDatabase/observe/memory.ts';
import { remainingClaims } from './owned/volumes.ts';
import { gateOf } from '../../../rules/database/deployed.ts';

/** The owned objects of a database. */
export interface DatabaseResources extends Pick<
  Owned<CoreDatabase>,
  'watches' | 'changes' | 'deleteAll' | 'confirmDeleted' | 'settled' | 'sweep'
> {
  /** The remaining objects by direct reads, including the claims of a chart. */
  readonly remaining: (
    database: CoreDatabase,
    reader: CacheReader,
  ) => Effect.Effect<readonly string[], ReadError | Gone, Cluster>;
  /** The difference from what the gate's state desires; for a draft, everything that exists. */
  readonly diff: (database: CoreDatabase, reader: CacheReader, gate: DraftDeployState) => Diff;
  /** Whether any of its objects is in the cache. */
  readonly existsInCache: (database: CoreDatabase, reader: CacheReader) => boolean;
  /** Applies the workload; a connection Secret that exists already is kept up to date. */
  readonly applyWorkload: (database: CoreDatabase, reader: CacheReader, given: ApplyInput) => Reconciling;
  /** Applies all of it. */
  readonly applyAll: (database: CoreDatabase, reader: CacheReader, given: ApplyInput) => Reconciling;
  /** The recovery targets of Postgres servers. */
  readonly targets: Targets;
  /** The deleted restore Jobs, replaced by another attempt. */
  readonly discarded: Discarded;
  /** The memory about the provider of managed databases. */
  readonly managed: ManagedMemory;
  /** Deletes all of it, for an action: the database was just read directly. */
  readonly remove: (database: CoreDatabase, reader: CacheReader) => Reconciling;
}

type Reconciling = Effect.Effect<Outcome, WriteError, Cluster>;
interface ApplyInput {
  readonly spec: DatabaseSpec;
  readonly login: Login;
}

const built: Readonly<Record<Workload['kind'], { readonly resource: Resource; readonly fixed: readonly Fixed[] }>> = {
  PersistentVolumeClaim: {
    resource: owned.claims,
    fixed: [
      { path: ['spec', 'resources', 'requests', 'storage'], then: 'grow' },
      { path: ['spec', 'storageClassName'], then: 'keep' },
      { path: ['spec', 'accessModes'], then: 'keep' },
    ],
  },
  Service: { resource: owned.services, fixed: [] },
  Deployment: { resource: owned.deployments, fixed: [{ path: ['spec', 'selector'], then: 'replace' }] },
  // The initial settings of a server are read only once, and its volumes keep their class.
  Cluster: {
    resource: postgresClusters,
    fixed: [
      { path: ['spec', 'bootstrap'], then: 'keep' },
      { path: ['spec', 'externalClusters'], then: 'keep' },
      { path: ['spec', 'storage', 'storageClass'], then: 'keep' },
    ],
  },
  HelmChart: { resource: helmCharts, fixed: [] },
};

/** A server without data is recreated for another version, because its operator refuses a downgrade. */
const newVersion: Fixed = { path: ['spec', 'imageName'], then: 'replace' };

function fixedOf({ kind, metadata }: Workload, reader: CacheReader): readonly Fixed[] {
  const { fixed } = built[kind];
  const server = kind === 'Cluster' ? reader.get(postgresClusters, metadata.name, metadata.namespace) : undefined;
  return server === undefined || isInitialised(server) ? fixed : [newVersion, ...fixed];
}

const liveOf = ({ kind, metadata }: Workload, reader: CacheReader): KubeObject | undefined =>
  reader.get(built[kind].resource, metadata.name, metadata.namespace);

const secret = (object: Secret): OwnedObject => ({ resource: owned.secrets, object, whole: [['data']] });

/** The workload of a database in creation order, and its login; empty for an external or unsupported one. */
function workloadOf(
  database: CoreDatabase,
  { reader, images, targets }: OwnedInput,
  { spec, login }: Partial<ApplyInput> & Pick<ApplyInput, 'spec'>,
): readonly OwnedObject[] {
  if (spec.placement === 'External' || unsupportedOf(spec) !== '' || misnamedOf(database, spec) !== '') return [];
  // The Secret is wanted even while the password is unknown; an empty password is never written.
  const bootstrap = hasLogin(spec.engine) ? [secret(bootstrapSecret(database, spec, login?.password ?? ''))] : [];
  // The kind of Postgres servers exists only once the operator is installed.
  if (spec.engine === 'Postgres' && !hasPostgres(reader)) return bootstrap;
  const settled = {
    ...settledOf(database, spec, { reader, images }),
    ...archivingOf(database, spec, { reader, targets }),
  };
  const objects = workloadObjects(database, spec, settled);
  return [
    ...bootstrap,
    ...restoreSecret(database, spec, reader).map(secret),
    ...objects.map((object): OwnedObject => ({
      object: isTemplated(object) ? withLogsOnError(object, liveOf(object, reader)) : object,
      ...built[object.kind],
      fixed: fixedOf(object, reader),
    })),
  ];
}

interface OwnedInput {
  readonly reader: CacheReader;
  readonly images: DatabaseImages;
  readonly targets: Targets;
}

/** Caches the connection object of a running spec, because a pass needs it many times. */
const connections = new WeakMap<
  DatabaseSpec,
  { readonly of: string; readonly login: Login; readonly one: OwnedObject }
>();

function connectionOf(database: CoreDatabase, { spec, login }: ApplyInput): OwnedObject {
  const { name } = database.metadata;
  const before = connections.get(spec);
  const isSame = before?.of === name && before.login.username === login.username && before.login.at === login.at;
  if (isSame && before.login.password === login.password) return before.one;
  const one = secret(connectionSecret(database, spec, login));
  connections.set(spec, { of: name, login, one });
  return one;
}

const nobody: Login = { username: '', password: '' };

/** The desired objects in this state of the gate; null, which changes nothing, when the deployed spec is unknown. */
function wantedIn(database: CoreDatabase, around: OwnedInput, gate: DraftDeployState): readonly OwnedObject[] | null {
  const { reader } = around;
  if (gate === 'Draft') return [];
  const spec = runningSpec(gate, database);
  if (spec === null) return null;
  const found = loginOf(database, spec, reader);
  // Only the provider knows the login of a managed database, so there is no substitute.
  if (found === null && isManaged(spec)) return [];
  const login = found ?? nobody;
  return [...workloadOf(database, around, { spec, login }), connectionOf(database, { spec, login })];
}

/** Another environment gets a new server; the old one stays until it is stopped or deleted. */
const isElsewhere = (database: CoreDatabase, one: KubeObject): boolean => {
  const spec = runningSpec(gateOf(database), database);
  if (spec === null || one.metadata.namespace === systemNamespace) return false;
  return one.metadata.namespace !== namespaceOf(spec);
};

/** The password of MySQL is in its volume, which outlives a stop. */
export const isKeptPassword = (database: CoreDatabase, one: KubeObject): boolean =>
  database.status?.running?.engine === 'MySQL' &&
  one.kind === 'Secret' &&
  one.metadata.name === bootstrapSecretName(database.metadata.name);

const leaves = (database: CoreDatabase, one: KubeObject): boolean =>
  !isDeleting(database) &&
  (isBackupSecret(database, one) ||
    isElsewhere(database, one) ||
    (gateOf(database) === 'Draft' && isKeptPassword(database, one)));

export function databaseResources(images: DatabaseImages): DatabaseResources {
  const targets: Targets = new Map();
  const own = makeOwned<CoreDatabase>({
    owners: databases,
    resources: [postgresClusters, helmCharts, owned.deployments, owned.services, owned.claims, owned.secrets],
    desired: (database, reader) => wantedIn(database, { reader, images, targets }, gateOf(database)) ?? [],
    leaves,
  });
  return {
    ...own,
    targets,
    discarded: new Set(),
    managed: managedMemory(),
    diff: (database, reader, gate) => {
      const wanted = wantedIn(database, { reader, images, targets }, gate);
      return wanted === null ? emptyDiff : own.diff(database, reader, wanted);
    },
    existsInCache: (database, reader) => !isInSync(own.diff(database, reader, [])),
    applyWorkload: (database, reader, given) => {
      const connection = connectionOf(database, given);
      const { name, namespace } = connection.object.metadata;
      const isWritten = reader.get(owned.secrets, name, namespace) !== undefined;
      const workload = workloadOf(database, { reader, images, targets }, given);
      return own.reconcile(database, reader, isWritten ? [...workload, connection] : workload);
    },
    applyAll: (database, reader, given) =>
      own.reconcile(database, reader, [
        ...workloadOf(database, { reader, images, targets }, given),
        connectionOf(database, given),
      ]),
    remaining: Effect.fnUntraced(function* (database, reader) {
      return [...(yield* own.remaining(database)), ...(yield* remainingClaims(database, reader))];
    }),
    remove: (database, reader) => own.reconcile(database, reader, [], 'justRead'),
  };
}
