import type { KindName } from '../../crds/kinds.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { redact } from '../../rules/redaction/redact.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { byBucketServer, byLogStore, byServer, byUsed, connected } from '../../runtime/services/cluster/indexes.ts';
import { apps, logicalDatabases, objectStores } from '../../runtime/services/cluster/kinds.ts';
import type { Index, Resource } from '../../runtime/services/cluster/cluster.ts';
import type { Dependent } from '../routes/resource.ts';
import type { Place } from '../lists/continue.ts';

/** What depends on an object by one of its fields. */
interface Way<O extends KubeObject> {
  readonly by: Dependent['by'];
  readonly resource: Resource<O>;
  readonly index: Index<O>;
  readonly value: (of: Of) => string;
  /** The field, with a name in it, as a view has to read it. */
  readonly field: (of: Of) => object;
}

interface Of {
  readonly kind: KindName;
  readonly name: string;
}

interface InEnvironment extends KubeObject {
  readonly spec: { readonly project?: string; readonly environment?: string };
}

const way = <O extends InEnvironment>(one: Way<O>): Way<InEnvironment> => one;

const connection = way({
  by: 'connection',
  resource: apps,
  index: byUsed,
  value: ({ kind, name }) => connected(kind, name),
  field: ({ kind, name }) => ({ connectionRefs: [{ kind, name }] }),
});

const ways: Readonly<Partial<Record<KindName, readonly Way<InEnvironment>[]>>> = {
  CoreDatabase: [
    connection,
    way({
      by: 'server',
      resource: logicalDatabases,
      index: byServer,
      value: ({ name }) => name,
      field: ({ name }) => ({ serverRef: name }),
    }),
  ],
  CoreLogicalDatabase: [connection],
  CoreObjectStore: [
    connection,
    way({
      by: 'logs',
      resource: apps,
      index: byLogStore,
      value: ({ name }) => name,
      field: ({ name }) => ({ build: { logStoreRef: { name } } }),
    }),
    way({
      by: 'server',
      resource: objectStores,
      index: byBucketServer,
      value: ({ name }) => name,
      field: ({ name }) => ({ serverRef: { name } }),
    }),
  ],
};

/** Whether a view reads what a field says. */
const isRead = (kind: string, spec: object, { name }: Of, view: View): boolean =>
  JSON.stringify(redact(kind, { metadata: { name: '' }, spec }, view).spec).includes(JSON.stringify(name));

export const placeOfDependent = ({ kind, name, by }: Dependent): Place => [kind, name, by];

/** Everything that names an object, as far as a view reads that. */
export const dependentsOf = (reader: CacheReader, of: Of, view: View): readonly Dependent[] =>
  (ways[of.kind] ?? [])
    .filter(({ resource: { kind }, field }) => isRead(kind, field(of), of, view))
    .flatMap(({ by, resource, index, value }) =>
      reader.indexed(resource, index.name, value(of)).map(({ metadata, spec }) => {
        const { project = '', environment = '' } = spec;
        return { kind: resource.kind, name: metadata.name, project, environment, by };
      }),
    );
