import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed, redact } from '../../rules/redaction/redact.ts';
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
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import type { Bootstrap, Stored } from '../openapi/shapes/platform.ts';
import { sendReadText } from '../response.ts';
import type { Place } from '../lists/continue.ts';
import { byName, orderedIn } from '../lists/ordered.ts';
import { pageOf, sortedFrom } from '../lists/page.ts';
import { pagerOf } from '../lists/send.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

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

/** The whole platform in one read, or in pages over all its lists (document 001, Endpoints; API-003). */
export function bootstrapRoutes(routes: Routes, context: ServerContext): void {
  const { caches } = context.operator;
  const lists = Object.entries<Resource>(listed).map(([name, resource]) => ({
    name,
    resource,
    sorted: orderedIn(caches.of(resource), byName),
  }));

  /** The objects of the lists from a place on, each with its list. */
  function* partsFrom(view: View, after: Place | null): Iterable<Part> {
    const [first = 0, ...within] = after ?? [];
    for (const [at, { resource, sorted }] of lists.entries()) {
      if (at < Number(first) || !isListed(resource.kind, view)) continue;
      for (const object of sortedFrom(sorted(), byName, after !== null && at === first ? within : null))
        yield { at, object };
    }
  }

  routes.on('GET /bootstrap', function readBootstrap(ctx, access, { query }) {
    const { view } = access;
    // Only the address without a version gives an admin the secret values of a spec written by hand (SEC-018, SEC-019).
    const as: Reading = view === 'whole' && ctx.path.startsWith('/api/bootstrap') ? 'with secrets' : view;
    const pager = pagerOf(ctx, context, { access, query });
    const { items, end } = pageOf({ from: (after) => partsFrom(view, after), placeOf, isIn: () => true }, pager);
    const fields = lists.map(({ name, resource }, of) => {
      const texts = items.filter(({ at }) => at === of).map(({ object }) => storedText(resource.kind, object, as));
      return `"${name}":[${texts.join(',')}]`;
    });
    const platform = caches.get(platformConfigs, platformConfigName);
    const told =
      platform && isListed('CorePlatformConfig', view) ? storedText('CorePlatformConfig', platform, as) : null;
    sendReadText(ctx, `{${fields.join(',')},"platform":${told}${pager.next(end)}}`);
  });
}

type Reading = View | 'with secrets';

/** It is not kept: whole objects would be in memory twice, and few read them. */
const storedText = (kind: string, object: KubeObject, as: Reading): string =>
  JSON.stringify(storedOf(kind, object, as));

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
