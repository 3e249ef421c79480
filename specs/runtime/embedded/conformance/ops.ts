import type { KubeObject } from '../../../../crds/kind.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { coreBuild } from '../../../../crds/coreBuild.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { pods, secrets } from '../../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../../runtime/services/cluster/cluster.ts';

/** One of ours with a status of its own, a built-in kind with one, and a kind without. */
export type KindName = 'build' | 'pod' | 'secret';
export const kindNames = ['build', 'pod', 'secret'] as const satisfies readonly KindName[];

export const resources: Readonly<Record<KindName, Resource>> = { build: builds, pod: pods, secret: secrets };

/** What an object of a kind needs to be taken; what both clusters fill in is seen beside it. */
export const needed: Readonly<Record<KindName, object>> = {
  build: { ...typeMeta(coreBuild), spec: { app: 'shop', project: 'demo', environment: 'live' } },
  pod: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'main', image: 'i' }] } },
  secret: { apiVersion: 'v1', kind: 'Secret' },
};

/** Over which version a write is asked for: one told of earlier, or one that never was. */
export interface Over {
  readonly uid?: 'its' | 'another';
  readonly version?: 'its' | 'older' | 'another';
}

interface On {
  readonly kind: KindName;
  readonly name: string;
}

/** An object to be created: its owners are named by kind and name, and known by the uid that was told last. */
export interface Wanted extends On {
  readonly do: 'create';
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly owners?: readonly On[];
}

/** An object to be applied: where nothing is, over the very one that was told of last, or over one that never was. */
export interface Applied extends On {
  readonly do: 'apply';
  readonly over: 'nothing' | 'its' | 'another';
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** One call of the Cluster service, as data. */
export type Op =
  | Wanted
  | Applied
  | { readonly do: 'generate'; readonly kind: KindName; readonly prefix: string }
  | (On & { readonly do: 'get' })
  | { readonly do: 'list'; readonly kind: KindName; readonly where?: string; readonly limit?: number }
  | (On & { readonly do: 'patch' | 'status'; readonly body: object; readonly over?: Over })
  | (On & { readonly do: 'remove'; readonly over?: Over })
  /** The same patch over the same version, by several at once. */
  | (On & { readonly do: 'race'; readonly writers: number; readonly body: object });

export const create = (kind: KindName, name: string, more: Omit<Wanted, 'do' | 'kind' | 'name'> = {}): Op => ({
  do: 'create',
  kind,
  name,
  ...more,
});
export const apply = (
  kind: KindName,
  name: string,
  over: Applied['over'],
  more: Omit<Applied, 'do' | 'kind' | 'name' | 'over'> = {},
): Op => ({ do: 'apply', kind, name, over, ...more });
export const get = (kind: KindName, name: string): Op => ({ do: 'get', kind, name });
export const list = (kind: KindName, where?: string, limit?: number): Op => ({
  do: 'list',
  kind,
  ...(where === undefined ? {} : { where }),
  ...(limit === undefined ? {} : { limit }),
});
export const patch = (kind: KindName, name: string, body: object, over?: Over): Op => ({
  do: 'patch',
  kind,
  name,
  body,
  ...(over && { over }),
});
export const status = (kind: KindName, name: string, body: object, over?: Over): Op => ({
  do: 'status',
  kind,
  name,
  body,
  ...(over && { over }),
});
export const remove = (kind: KindName, name: string, over?: Over): Op => ({
  do: 'remove',
  kind,
  name,
  ...(over && { over }),
});

/** The object as it is sent. */
export const objectOf = (
  { kind, name, meta, body }: Wanted | Applied,
  ownerReferences: readonly object[] = [],
): KubeObject => ({
  ...needed[kind],
  ...body,
  metadata: {
    name,
    namespace: systemNamespace,
    ...meta,
    ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
  } as KubeObject['metadata'],
});

const words = (value: object | undefined) => (value === undefined ? '' : ` ${JSON.stringify(value)}`);
const overWords = (over: Over | undefined) =>
  Object.entries(over ?? {})
    .map(([what, which]) => ` over ${which} ${what}`)
    .join('');

/** A call in a line. */
export function say(op: Op): string {
  switch (op.do) {
    case 'create':
      return `create ${op.kind} ${op.name}${words(op.meta)}${words(op.body)}${(op.owners ?? []).map((owner) => ` of ${owner.kind} ${owner.name}`).join('')}`;
    case 'apply':
      return `apply ${op.kind} ${op.name}${words(op.meta)}${words(op.body)} over ${op.over}`;
    case 'generate':
      return `create ${op.kind} ${op.prefix}…`;
    case 'get':
      return `get ${op.kind} ${op.name}`;
    case 'list':
      return `list ${op.kind}${op.where === undefined ? '' : ` where ${op.where}`}${op.limit === undefined ? '' : `, ${op.limit} a page`}`;
    case 'patch':
    case 'status':
      return `${op.do} ${op.kind} ${op.name}${words(op.body)}${overWords(op.over)}`;
    case 'remove':
      return `remove ${op.kind} ${op.name}${overWords(op.over)}`;
    case 'race':
      return `${op.writers} patch ${op.kind} ${op.name}${words(op.body)} at once`;
  }
}
