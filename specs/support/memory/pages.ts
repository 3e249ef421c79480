import type { KubeObject } from '../../../crds/kind.ts';
import { type Selector, selectorOf } from '../../../runtime/embedded/api/selectors.ts';
import { badRequest, pageExpired, resourceOf } from '../../../runtime/embedded/api/status.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { withType } from '../../../runtime/services/kube/typeMeta.ts';
import type { Listed, ListOptions, Resource, Selection } from '../../../runtime/services/cluster/cluster.ts';
import { namespaceOf } from './place.ts';
import type { MemoryStore } from './store.ts';
import { typeOf } from './types.ts';

interface Token {
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
}

const tokenOf = (revision: number, { metadata }: Stored) => `${revision}:${metadata.namespace ?? ''}:${metadata.name}`;

function readToken(text: string): Token {
  const [revision = '', namespace, name] = text.split(':');
  if (!/^\d+$/.test(revision) || namespace === undefined || name === undefined)
    throw badRequest('invalid continue token: continue key is not valid');
  return { revision: Number(revision), namespace, name };
}

const isAfter = ({ metadata }: Stored, { namespace, name }: Token) => {
  const own = metadata.namespace ?? '';
  return own === namespace ? metadata.name > name : own > namespace;
};

/** Whether an object of a resource is selected; null selects everything. */
function selectsOf(resource: Resource, { labelSelector = '', fieldSelector = '' }: Selection): Selector | null {
  if (labelSelector === '' && fieldSelector === '') return null;
  const { bucket, kind } = typeOf(resource);
  const { group } = resourceOf(bucket);
  return selectorOf(new URLSearchParams({ labelSelector, fieldSelector }), { group, kind });
}

/** An item as a real API server lists it: those of built-in kinds do not name their kind. */
function asListed<O extends KubeObject>(resource: Resource<O>, object: Stored): O {
  if (typeOf(resource).custom) return object as KubeObject as O;
  const { apiVersion: _, kind: __, ...item } = object;
  return item as KubeObject as O;
}

/** The objects of a resource in the order of namespace and name; the pages of one list share its version. */
export function listOf<O extends KubeObject>(
  store: MemoryStore,
  resource: Resource<O>,
  options: ListOptions = {},
): Listed<O> {
  const { bucket } = typeOf(resource);
  const { limit = 0 } = options;
  const selects = selectsOf(resource, options);
  const token = options.continue ? readToken(options.continue) : null;
  if (token && store.changesAfter(bucket, token.revision) === null) throw pageExpired('');
  const revision = token?.revision ?? store.revision();
  const selected = store
    .list(bucket, namespaceOf(resource, options.namespace) || undefined)
    .filter((object) => (!selects || selects(object)) && (!token || isAfter(object, token)));
  const page = limit > 0 ? selected.slice(0, limit) : selected;
  const last = page.at(-1);
  const items = page.map((object) => withType(resource, asListed<O>(resource, object)));
  return {
    items,
    resourceVersion: String(revision),
    ...(last && items.length < selected.length ? { continue: tokenOf(revision, last) } : {}),
  };
}
