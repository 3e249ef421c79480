import { type CoreDatabase, type DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { bootstrapSecretName, type Login, ownLogin } from '../../../rules/database/connection.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import { bootstrapSecret, connectionSecret } from '../../../rules/database/secrets.ts';
import { type Settled, sqliteObjects, type Workload } from '../../../rules/database/sqlite.ts';
import type { Fixed } from '../../../rules/owned/ownedObject.ts';
import { owned, type OwnedObject } from '../../owned/owned.ts';
import type { Secret } from '../../resources.ts';
import { secretText } from '../../secretText.ts';
import type { Seen } from '../../seen.ts';
import { secrets } from '../../resources.ts';
import type { Resource } from '../../services/cluster.ts';

/** The kinds of all that a database has in the cluster. */
export const databaseKinds: readonly Resource[] = [owned.claims, owned.services, owned.deployments, owned.secrets];

const builtIn: Readonly<Record<Workload['kind'], { readonly resource: Resource; readonly fixed: readonly Fixed[] }>> = {
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

/** The spec that runs, and what was settled about it. */
export interface Running {
  readonly spec: DatabaseSpec;
  readonly settled: Settled;
}

/** What a database runs on, in the order it is made; nothing of an external one. */
export const workloadOf = (database: CoreDatabase, { spec, settled }: Running): readonly OwnedObject[] =>
  spec.placement === 'External'
    ? []
    : sqliteObjects(database, spec, settled).map((object) => ({ object, ...builtIn[object.kind] }));

export const connectionPiece = (database: CoreDatabase, spec: DatabaseSpec, login: Login): OwnedObject =>
  secret(connectionSecret(database, spec, login));

export const bootstrapPiece = (database: CoreDatabase, spec: DatabaseSpec, { password }: Login): OwnedObject =>
  secret(bootstrapSecret(database, spec, password));

/** The login by what is cached: the one that was drawn, or the one that the spec names; null where there is none. */
export function loginOf({ metadata }: CoreDatabase, spec: DatabaseSpec, seen: Seen): Login | null {
  if (spec.placement === 'External') return { username: spec.username ?? '', password: passwordOf(spec, seen) };
  const drawn = seen.get(owned.secrets, bootstrapSecretName(metadata.name), namespaceOf(spec));
  const password = secretText(drawn, 'password');
  return password === '' ? null : { username: ownLogin, password };
}

function passwordOf({ passwordSecretRef }: DatabaseSpec, seen: Seen): string {
  if (!passwordSecretRef?.name) return '';
  return secretText(seen.get(secrets, passwordSecretRef.name), passwordSecretRef.key || 'password');
}
