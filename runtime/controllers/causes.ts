import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { ObjectRef } from '../../rules/cause/cause.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import {
  builds,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  projects,
} from '../services/cluster/kinds.ts';
import { causesOf } from '../step/derive.ts';

/** The kinds that others wait for. */
const awaited: readonly Resource[] = [
  builds,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  projects,
];

/** An object as causes name it. */
export const refOf = ({ kind = '', metadata: { name, namespace = systemNamespace } }: KubeObject): ObjectRef => ({
  kind,
  name,
  namespace,
});

/** Finds the worst recorded cause of an object that others wait for. */
export const worstCauseIn =
  (reader: CacheReader) =>
  (kind: string, name: string): StoredCause | undefined => {
    const resource = awaited.find((one) => one.kind === kind);
    return resource && causesOf(reader.get(resource, name))[0];
  };
