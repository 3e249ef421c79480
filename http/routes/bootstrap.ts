import { Optional as optional, Type } from '@sinclair/typebox';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import type { Place } from '../lists/continue.ts';
import { byName, orderedIn } from '../lists/ordered.ts';
import { pageOf, sortedFrom } from '../lists/page.ts';
import { pagerOf } from '../lists/send.ts';
import { anyFields, mapOf, orNull, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { continued, pageQuery, pageRefusals } from '../openapi/paging.ts';
import { read } from '../openapi/schema.ts';
import { jsonList, jsonObject, type JsonText, jsonText } from '../response/jsonText.ts';
import { sendReadText } from '../response.ts';
import { perContext, type Resource as RestResource, route, type RouteContext } from '../route.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed, redact } from '../../rules/redaction/redact.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import {
  apps,
  backupArchives,
  builds,
  cloudConnections,
  clusters,
  connections,
  consoleSessions,
  databases,
  deployments,
  haReadiness,
  logicalDatabases,
  networkLogs,
  nodes,
  objectStores,
  platformConfigs,
  projects,
} from '../../runtime/services/cluster/kinds.ts';

/** One stored object, with the fields that the reader may see. */
const stored = Type.Object(
  {
    metadata: Type.Object({
      name: text(),
      uid: optional(text()),
      labels: mapOf(text()),
      annotations: optional(mapOf(text())),
      creationTimestamp: optional(text('A time.')),
      deletionTimestamp: optional(text('A time.')),
    }),
    spec: anyFields,
    status: anyFields,
  },
  { title: 'Stored' },
);
/** One stored object, with the fields that the reader may see. */
export type Stored = ReadonlyStatic<typeof stored>;

const list = Type.Array(stored);

/** The whole platform (document 001, Endpoints). Lists that the reader may not see are empty. */
const bootstrap = Type.Object(
  {
    projects: list,
    apps: list,
    builds: list,
    databases: list,
    logicalDatabases: list,
    objectStores: list,
    backupArchives: list,
    deployments: list,
    clusters: list,
    nodes: list,
    connections: list,
    cloudConnections: list,
    consoleSessions: list,
    haReadiness: list,
    networkLogs: list,
    /** The object `platform`; null while there is none. */
    platform: orNull(stored),
    continue: continued,
  },
  { title: 'Bootstrap' },
);
/** GET /api/bootstrap: the whole platform (document 001, Endpoints). */
export type Bootstrap = ReadonlyStatic<typeof bootstrap>;

/** The lists of the answer, in their order. */
const listed = {
  projects,
  apps,
  builds,
  databases,
  logicalDatabases,
  objectStores,
  backupArchives,
  deployments,
  clusters,
  nodes,
  connections,
  cloudConnections,
  consoleSessions,
  haReadiness,
  networkLogs,
} satisfies Partial<Readonly<Record<Exclude<keyof Bootstrap, 'platform' | 'continue'>, Resource>>>;

/** One object of the answer, with the number of the list that it is in. */
interface Part {
  readonly at: number;
  readonly object: KubeObject;
}

const placeOf = ({ at, object }: Part): Place => [at, ...byName(object)];

const listsOf = perContext(({ caches }) =>
  Object.entries<Resource>(listed).map(([name, resource]) => ({
    name,
    resource,
    sorted: orderedIn(caches.of(resource), byName),
  })),
);

/** The whole platform in one read, or in pages over all its lists (document 001, Endpoints; API-003). */
export const bootstrapRoutes = {
  'GET /bootstrap': route(
    {
      group: 'Platform',
      summary: 'Reads all objects of the platform at once, or in pages over all its lists.',
      path: {},
      query: Type.Object(pageQuery),
      answers: read(bootstrap, 'A list for every kind, with the fields that the caller may read.'),
      refusals: pageRefusals,
    },
    (context) => {
      const { caches } = context;
      return function readBootstrap(ctx, access, { query }) {
        const { view } = access;
        // Only the address without a version gives an admin the secret values of a spec written by hand (SEC-018, SEC-019).
        const as: Reading = view === 'whole' && ctx.path.startsWith('/api/bootstrap') ? 'with secrets' : view;
        const pager = pagerOf(ctx, context, { access, query });
        const { items, end } = pageOf(
          { from: (after) => partsFrom(context, view, after), placeOf, isIn: () => true },
          pager,
        );
        const lists = listsOf(context).map(({ name, resource }, of) => {
          const texts = items.filter(({ at }) => at === of).map(({ object }) => storedText(resource.kind, object, as));
          return [name, jsonList(texts)];
        });
        const platform = caches.get(platformConfigs, platformConfigName);
        const platformText =
          platform && isListed('CorePlatformConfig', view)
            ? storedText('CorePlatformConfig', platform, as)
            : jsonText(null);
        const { continue: next } = pager.next(end);
        const answer = jsonObject<Bootstrap>({
          ...(Object.fromEntries(lists) as Readonly<Record<keyof typeof listed, JsonText<readonly Stored[]>>>),
          platform: platformText,
          continue: next === undefined ? undefined : jsonText(next),
        });
        sendReadText(ctx, answer);
      };
    },
  ),
} satisfies RestResource;

/** The objects of the lists from a place on, each with its list. */
function* partsFrom(context: RouteContext, view: View, after: Place | null): Iterable<Part> {
  const [first = 0, ...within] = after ?? [];
  for (const [at, { resource, sorted }] of listsOf(context).entries()) {
    if (at < Number(first) || !isListed(resource.kind, view)) continue;
    for (const object of sortedFrom(sorted(), byName, after !== null && at === first ? within : null))
      yield { at, object };
  }
}

type Reading = View | 'with secrets';

/** It is not kept: whole objects would be in memory twice, and few read them. */
const storedText = (kind: string, object: KubeObject, as: Reading): JsonText<Stored> =>
  jsonText(storedOf(kind, object, as));

/** A stored object, redacted for its reader. Annotations may repeat all of it, so only its display name is included. */
function storedOf(kind: string, object: KubeObject, as: Reading): Stored {
  const raw: Partial<Pick<Stored, 'spec' | 'status'>> = object as object;
  const { metadata, spec, status } =
    as === 'with secrets'
      ? { metadata: object.metadata, spec: raw.spec ?? {}, status: raw.status ?? {} }
      : redact(kind, object, as);
  const { name, uid, labels = {}, creationTimestamp, deletionTimestamp, annotations } = metadata;
  const displayName = annotations?.[annotation.displayName];
  return {
    metadata: {
      name,
      labels,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(displayName === undefined ? {} : { annotations: { [annotation.displayName]: displayName } }),
    },
    spec: spec as Stored['spec'],
    status: status as Stored['status'],
  };
}
