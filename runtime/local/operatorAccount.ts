import { defined } from '../../rules/defined.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { program, systemNamespace } from '../../crds/names.ts';
import { type AccessKind, accessIn, accessKindOf } from './installedAccess.ts';
import {
  accessBuckets,
  type Bucket,
  type Json,
  jsonAt,
  type Place,
  type Store,
  type Stored,
  textAt,
} from '../embedded/index.ts';

const account: Place = { bucket: '/serviceaccounts', namespace: systemNamespace, name: program };

const buckets: Readonly<Record<AccessKind, Bucket>> = {
  ServiceAccount: account.bucket,
  Role: accessBuckets.roles,
  RoleBinding: accessBuckets.roleBindings,
  ClusterRole: accessBuckets.clusterRoles,
  ClusterRoleBinding: accessBuckets.clusterRoleBindings,
};

/**
 * The accounts, roles and bindings of `crds/install`: as JSON that the build wrote beside the bundle, because parsing
 * YAML would slow the start, or from the sources.
 */
function installedAccess(): readonly Json[] {
  const built = fileURLToPath(new URL('access.json', import.meta.url));
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8')) as readonly Json[];
  return accessIn(fileURLToPath(new URL('../../crds/install/', import.meta.url)));
}

/** Creates the operator's account and roles, as on any cluster; returns the account. */
export async function ensureOperatorAccount(store: Store): Promise<Stored> {
  await Promise.all(installedAccess().map((object) => put(store, object)));
  const found = store.get(account);
  if (!found) throw new Error(`crds/install has no ServiceAccount ${account.namespace}/${account.name}`);
  return found;
}

/** Overwrites rules, subjects and roleRef, so that exactly what this release allows is allowed. */
async function put(store: Store, object: Json): Promise<void> {
  const metadata = jsonAt(object, 'metadata');
  const kind = accessKindOf(object);
  if (kind === undefined) throw new Error(`crds/install: ${textAt(object, 'kind')} gives no access`);
  const place: Place = {
    bucket: buckets[kind],
    namespace: textAt(metadata, 'namespace'),
    name: textAt(metadata, 'name'),
  };
  const { rules, subjects, roleRef } = object;
  const found = store.get(place);
  if (!found) await store.create(place, object);
  else await store.update(place, (old) => ({ ...old, ...defined({ rules, subjects, roleRef }) }));
}
