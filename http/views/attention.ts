import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Attention as Item, Concern, Concerned } from '../../rules/cause/attention.ts';
import type { Root } from '../../rules/cause/cause.ts';
import { isConnection, isReadBy, leftOut, namesTo } from '../../rules/cause/visible.ts';
import { redact } from '../../rules/redaction/redact.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import {
  apps,
  cloudConnections,
  clusters,
  connections,
  databases,
  logicalDatabases,
  nodes,
  objectStores,
} from '../../runtime/services/cluster/kinds.ts';
import { concernedOf } from '../lists/attention.ts';
import type { Attention } from '../routes/attention/shapes.ts';
import { type CauseReading, causeOf } from './cause.ts';
import { kindsWithCauses } from './causeKinds.ts';

/** The kinds that items are about: what has causes, and what that may wait for. */
const kinds: readonly Resource[] = [...kindsWithCauses, clusters, nodes, connections, cloudConnections];
const retriedKinds: readonly string[] = [apps, databases, logicalDatabases, objectStores].map(({ kind }) => kind);
const maxHeldUp = 50;

/** The object of ours with that name. */
function objectOf(reader: CacheReader, { kind, name }: Pick<Root, 'kind' | 'name'>) {
  const resource = kinds.find((one) => one.kind === kind);
  const object = resource && reader.get(resource, name);
  return resource && object && { resource, object };
}

/** The object that an item is about: the root where it is of ours, else the one that names it. */
export const subjectOf = (reader: CacheReader, { root, reported }: Item) =>
  objectOf(reader, root) ?? objectOf(reader, reported.object);

const isSame = (one: Concerned, other: Concerned): boolean => one.kind === other.kind && one.name === other.name;

/** Every object of an item but the one that it is about. */
const dependantsOf = (subject: Concerned, { reported, others }: Item): readonly Concern[] =>
  [reported, ...others].filter(({ object }) => !isSame(object, subject));

/** The objects of an item that were given up and can be retried. */
export const givenUpIn = ({ reported, others }: Item): readonly Concerned[] =>
  [reported, ...others]
    .filter(({ object, cause }) => cause.gaveUp === true && retriedKinds.includes(object.kind))
    .map(({ object }) => object);

const urlOf = (kind: string, object: KubeObject, view: View): string => {
  const { url } = redact(kind, object, view).status as { readonly url?: unknown };
  return typeof url === 'string' ? url : '';
};

const displayNameOf = (object: KubeObject & { readonly spec?: { readonly displayName?: string } }): string =>
  object.spec?.displayName || object.metadata.annotations?.[annotation.displayName] || object.metadata.name;

/** What a view may know that an object holds up: not which services are connected to it. */
const isShown = ({ object, cause }: Concern, view: View): boolean =>
  view !== 'viewer' || !isConnection(object.kind, cause.on.kind);

/** An item as a view reads it; null where nothing of it is left in the caches. */
export function attentionView(reader: CacheReader, item: Item, reading: CauseReading): Attention | null {
  const { view } = reading;
  const subject = subjectOf(reader, item);
  const reporting = objectOf(reader, item.reported.object);
  if (subject === undefined || reporting === undefined) return null;
  const concerned = concernedOf(subject.resource, subject.object);
  const isNamed = isReadBy(view, namesTo('', concerned.kind, ''));
  const dependants = dependantsOf(concerned, item);
  return {
    id: item.id,
    word: item.word,
    object: {
      ...concerned,
      name: isNamed ? concerned.name : leftOut,
      displayName: isNamed ? displayNameOf(subject.object) : leftOut,
      url: urlOf(concerned.kind, subject.object, view),
    },
    cause: causeOf(reporting.resource.kind, reporting.object, item.reported.cause, reading),
    holdsUp: dependants
      .filter((concern) => isShown(concern, view))
      .slice(0, maxHeldUp)
      .map(({ object }) => object),
    holdsUpCount: dependants.length,
    since: item.reported.cause.since,
    canRetry: givenUpIn(item).length > 0,
  };
}
