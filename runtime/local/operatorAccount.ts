import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { program, systemNamespace } from '../../crds/names.ts';
import {
  accessBuckets,
  type Bucket,
  isJson,
  type Json,
  jsonAt,
  type Place,
  type Store,
  type Stored,
  textAt,
} from '../embedded/index.ts';

const account: Place = { bucket: '/serviceaccounts', namespace: systemNamespace, name: program };

const buckets: Readonly<Record<string, Bucket>> = {
  ServiceAccount: account.bucket,
  Role: accessBuckets.roles,
  RoleBinding: accessBuckets.roleBindings,
  ClusterRole: accessBuckets.clusterRoles,
  ClusterRoleBinding: accessBuckets.clusterRoleBindings,
};

/** Selects files by their text first, because parsing YAML is slow and the start waits for it. */
const accessKind = new RegExp(`^kind: (${Object.keys(buckets).join('|')})$`, 'm');

/** The accounts, roles and bindings that `crds/install` makes on any cluster. */
export function installedAccess(): readonly Json[] {
  const dir = installDir();
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .filter((text) => accessKind.test(text))
    .flatMap((text) => parseAllDocuments(text))
    .map((document): unknown => document.toJS())
    .filter(isJson)
    .filter((object) => buckets[textAt(object, 'kind')] !== undefined);
}

/** Beside the bundle; run from source, in crds/install. */
function installDir(): string {
  const bundled = fileURLToPath(new URL('install/', import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL('../../crds/install/', import.meta.url));
}

/** Gives the operator the account and the roles that it has on any cluster; returns its account. */
export async function ensureOperatorAccount(store: Store): Promise<Stored> {
  await Promise.all(installedAccess().map((object) => put(store, object)));
  const found = store.get(account);
  if (!found) throw new Error(`crds/install has no ServiceAccount ${account.namespace}/${account.name}`);
  return found;
}

/** Overwrites rules, subjects and roleRef, so that exactly what this release allows is allowed. */
async function put(store: Store, object: Json): Promise<void> {
  const metadata = jsonAt(object, 'metadata');
  const place: Place = {
    bucket: buckets[textAt(object, 'kind')] ?? '',
    namespace: textAt(metadata, 'namespace'),
    name: textAt(metadata, 'name'),
  };
  const { rules, subjects, roleRef } = object;
  const said = Object.entries({ rules, subjects, roleRef }).filter(([, value]) => value !== undefined);
  const found = store.get(place);
  if (!found) await store.create(place, object);
  else await store.update(place, (old) => ({ ...old, ...Object.fromEntries(said) }));
}
