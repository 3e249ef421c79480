import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { ObjectRef } from '../../rules/cause/cause.ts';
import { type Condition, conditionOf } from '../../rules/condition.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import {
  apps,
  builds,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  projects,
} from '../services/cluster/kinds.ts';
import { causesOf } from '../step/derive.ts';

interface Told extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The kinds that others wait for. */
const awaited: readonly Resource<Told>[] = [
  apps,
  builds,
  clusters,
  connections,
  databases,
  logicalDatabases,
  objectStores,
  projects,
];

const recordsNone: readonly string[] = [clusters.kind, connections.kind];

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
    const object = awaitedIn(reader, kind, name);
    return object && (causesOf(object).find(({ of }) => of === 'Ready') ?? ownCause(object));
  };

/** Finds what the deletion of an object waits for, else why the object is not ready. */
export const deletionCauseIn =
  (reader: CacheReader) =>
  (kind: string, name: string): StoredCause | undefined =>
    causesOf(awaitedIn(reader, kind, name)).find(({ of }) => of === 'Deletion') ?? worstCauseIn(reader)(kind, name);

function awaitedIn(reader: CacheReader, kind: string, name: string): Told | undefined {
  const resource = awaited.find((one) => one.kind === kind);
  return resource && reader.get(resource, name);
}

/** The cause of a kind that records none: what its Ready condition says. */
function ownCause(object: Told): StoredCause | undefined {
  if (!recordsNone.includes(object.kind ?? '')) return undefined;
  const ready = conditionOf(object, 'Ready');
  if (ready === undefined || ready.status === 'True') return undefined;
  const { reason, message, params, lastTransitionTime: since } = ready;
  return {
    of: 'Ready',
    reason,
    severity: 'failure',
    message,
    ...(params && { params }),
    on: refOf(object),
    since,
  };
}
