import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { Login } from '../../../rules/database/connection.ts';
import { bootstrapSecret, connectionSecret } from '../../../rules/database/secrets.ts';
import { sqliteObjects, type Workload } from '../../../rules/database/sqlite.ts';
import { unsupportedOf } from '../../../rules/database/unsupported.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import type { Fixed } from '../../../rules/owned/ownedObject.ts';
import { databases } from '../../kinds.ts';
import {
  type Difference,
  isBroughtAbout,
  makeOwned,
  type Outcome,
  type Owned,
  owned,
  type OwnedObject,
} from '../../owned/owned.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Cluster, Resource, WriteError } from '../../services/cluster.ts';
import { loginOf } from './login.ts';
import { gateOf, settledOf } from './spec.ts';

/** Everything that a database has in the cluster. */
export interface Pieces extends Pick<
  Owned<CoreDatabase>,
  'watches' | 'away' | 'none' | 'remaining' | 'settled' | 'sweep'
> {
  /** What differs from what the state of the gate wants; for a draft, everything that exists. */
  readonly difference: (database: CoreDatabase, reader: CacheReader, gate: DraftDeployState) => Difference;
  /** Whether any of its objects is in the cache. */
  readonly stands: (database: CoreDatabase, reader: CacheReader) => boolean;
  /** Applies what it runs on; a connection Secret that exists already is kept up to date. */
  readonly applyWorkload: (database: CoreDatabase, reader: CacheReader, given: Given) => Bringing;
  /** Applies all of it. */
  readonly applyAll: (database: CoreDatabase, reader: CacheReader, given: Given) => Bringing;
  /** Removes all of it, for an act: the database was just read directly. */
  readonly remove: (database: CoreDatabase, reader: CacheReader) => Bringing;
}

type Bringing = Effect.Effect<Outcome, WriteError, Cluster>;
interface Given {
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
};

const secret = (object: Secret): OwnedObject => ({ resource: owned.secrets, object, whole: [['data']] });

/** What a database runs on, in creation order, and its login; empty for an external or unsupported one. */
function workloadOf(
  database: CoreDatabase,
  reader: CacheReader,
  { spec, login }: Partial<Given> & Pick<Given, 'spec'>,
) {
  if (spec.placement === 'External' || unsupportedOf(spec) !== '') return [];
  const objects = sqliteObjects(database, spec, settledOf(database, spec, reader));
  // The Secret is wanted even while the password is unknown; an empty password is never written.
  const bootstrap = secret(bootstrapSecret(database, spec, login?.password ?? ''));
  return [bootstrap, ...objects.map((object): OwnedObject => ({ object, ...built[object.kind] }))];
}

/** The connection object last made for a running spec, because a pass asks for it many times. */
const connections = new WeakMap<
  DatabaseSpec,
  { readonly of: string; readonly login: Login; readonly one: OwnedObject }
>();

function connectionOf(database: CoreDatabase, { spec, login }: Given): OwnedObject {
  const { name } = database.metadata;
  const before = connections.get(spec);
  const isSame = before?.of === name && before.login.username === login.username;
  if (isSame && before.login.password === login.password) return before.one;
  const one = secret(connectionSecret(database, spec, login));
  connections.set(spec, { of: name, login, one });
  return one;
}

const nobody: Login = { username: '', password: '' };

/**
 * All that should exist in this state of the gate; null, which leaves everything alone, where the deployed spec is
 * unknown.
 */
function wantedIn(database: CoreDatabase, reader: CacheReader, gate: DraftDeployState): readonly OwnedObject[] | null {
  if (gate === 'Draft') return [];
  const spec = runningSpec(gate, database);
  if (spec === null) return null;
  const login = loginOf(database, spec, reader) ?? nobody;
  return [...workloadOf(database, reader, { spec, login }), connectionOf(database, { spec, login })];
}

const nothingDiffers: Difference = {
  absent: [],
  stale: [],
  surplus: [],
  going: [],
  foreign: [],
  contested: [],
  unseen: [],
};

export function databasePieces(): Pieces {
  const own = makeOwned<CoreDatabase>({
    owners: databases,
    resources: [owned.claims, owned.services, owned.deployments, owned.secrets],
    wanted: (database, reader) => wantedIn(database, reader, gateOf(database)) ?? [],
  });
  return {
    ...own,
    difference: (database, reader, gate) => {
      const wanted = wantedIn(database, reader, gate);
      return wanted === null ? nothingDiffers : own.difference(database, reader, wanted);
    },
    stands: (database, reader) => !isBroughtAbout(own.difference(database, reader, [])),
    applyWorkload: (database, reader, given) => {
      const connection = connectionOf(database, given);
      const { name, namespace } = connection.object.metadata;
      const stands = reader.get(owned.secrets, name, namespace) !== undefined;
      const workload = workloadOf(database, reader, given);
      return own.bringAbout(database, reader, stands ? [...workload, connection] : workload);
    },
    applyAll: (database, reader, given) =>
      own.bringAbout(database, reader, [...workloadOf(database, reader, given), connectionOf(database, given)]),
    remove: (database, reader) => own.bringAbout(database, reader, [], 'justRead'),
  };
}
