import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { releaseOf } from '../../../../rules/database/charts.ts';
import { isShared, namespaceOf, storageSizeOf } from '../../../../rules/database/effective.ts';
import { quantityOf } from '../../../../rules/owned/quantity.ts';
import { ownLabels } from '../../../../rules/owned/ownedObject.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { displayName, refOf } from '../../../owned/displayName.ts';
import { namespaces } from '../../../services/cluster/resources.ts';
import { ActionFailed } from '../../../contract/lifecycle.ts';
import { asSeen, Cluster, type Gone, type WriteError } from '../../../services/cluster/cluster.ts';
import { postgresServer } from '../observe/runs.ts';
import { chartClaims, type ClaimSeen, helmCharts, instanceLabel, postgresClusters } from '../../../owned/addonKinds.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { find } from '../../../services/cluster/find.ts';

const sizeOf = ({ spec }: ClaimSeen): string => spec?.resources?.requests?.storage ?? '';
const isSmaller = (one: string, other: string) => (quantityOf(one) ?? 0n) < (quantityOf(other) ?? 0n);

const selectorOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(',');

/** The release whose claims, without our labels, outlive the chart; only for MySQL. */
const mysqlRelease = (database: CoreDatabase): string =>
  isOrRan(database, 'MySQL') ? releaseOf(database.metadata.name, 'MySQL') : '';

const isOrRan = ({ spec, status }: CoreDatabase, engine: DatabaseSpec['engine']): boolean =>
  [spec, status?.running].some((one) => one?.engine === engine && one.placement === 'InCluster');

/** The volumes of a running database, by a direct read. */
export const volumesOf = Effect.fnUntraced(function* (database: CoreDatabase, spec: DatabaseSpec) {
  const release = releaseOf(database.metadata.name, spec.engine);
  const labels =
    release === '' ? ownLabels({ kind: 'CoreDatabase', name: database.metadata.name }) : { [instanceLabel]: release };
  const labelSelector = selectorOf(labels);
  const { items } = yield* (yield* Cluster).list(chartClaims, { namespace: namespaceOf(spec), labelSelector });
  return items.map((one) => displayName(refOf(chartClaims, one)));
});

/** The claims of the release, by a direct read: in core-system for a shared server, else where the project is. */
const releasedClaims = Effect.fnUntraced(function* (database: CoreDatabase, reader: CacheReader) {
  const release = mysqlRelease(database);
  if (release === '') return [];
  const { spec } = database;
  const labelSelector = `${instanceLabel}=${release}`;
  const { items } = yield* (yield* Cluster).list(chartClaims, { namespace: 'all', labelSelector });
  const ofProject = isShared(spec) ? [] : reader.indexed(namespaces, label.project, spec.project ?? '');
  const own = [
    namespaceOf(spec),
    database.status?.targetNamespace ?? '',
    ...ofProject.map(({ metadata }) => metadata.name),
  ];
  return items.filter(({ metadata }) => own.includes(metadata.namespace ?? ''));
});

/** Deletes the claims of a deleted release in the version that was read; an existing release would recreate them. */
export const removeClaims = Effect.fnUntraced(function* (database: CoreDatabase, reader: CacheReader) {
  if (mysqlRelease(database) === '' || reader.get(helmCharts, mysqlRelease(database)) !== undefined) return;
  const cluster = yield* Cluster;
  const standing = (yield* releasedClaims(database, reader)).filter((claim) => !isDeleting(claim));
  yield* eachOf(standing, (claim) =>
    cluster.remove(chartClaims, claim.metadata, asSeen(claim)).pipe(Effect.catchTag('Conflict', () => Effect.void)),
  );
});

const isOfServer =
  (server: string) =>
  ({ metadata }: ClaimSeen): boolean =>
    metadata.ownerReferences?.some(
      ({ apiVersion, kind, name }) =>
        apiVersion.startsWith(`${postgresClusters.group}/`) && kind === postgresClusters.kind && name === server,
    ) === true;

/** The claims of the Postgres operator, by a direct read; they are garbage-collected after their server. */
const serverClaims = Effect.fnUntraced(function* (database: CoreDatabase, namespace = 'all') {
  if (!isOrRan(database, 'Postgres')) return [];
  const { name } = database.metadata;
  const labelSelector = selectorOf(ownLabels({ kind: 'CoreDatabase', name }));
  const { items } = yield* (yield* Cluster).list(chartClaims, { namespace, labelSelector });
  return items.filter(isOfServer(name));
});

/** Whether a claim of a Postgres server is being deleted, or will be: its server is deleted or replaced. */
const isLeftOver = (claim: ClaimSeen, server: KubeObject | undefined): boolean =>
  isDeleting(claim) || claim.metadata.ownerReferences?.every(({ uid }) => uid !== server?.metadata.uid) === true;

/**
 * Waits, by direct reads, until the volumes of a stopped or replaced Postgres server are deleted, because a new server
 * of the name would adopt them. An existing server needs no wait.
 */
export const removedVolumes = Effect.fnUntraced(function* (
  database: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
): Effect.fn.Return<void, ActionFailed | WriteError | Gone, Cluster> {
  if (spec.engine !== 'Postgres' || spec.placement === 'External') return;
  const cached = postgresServer(database, spec, reader);
  if (cached !== undefined && !isDeleting(cached)) return;
  const claims = yield* serverClaims(database, namespaceOf(spec));
  if (claims.length === 0) return;
  const server = yield* find(postgresClusters, { name: database.metadata.name, namespace: namespaceOf(spec) });
  if (claims.some((claim) => isLeftOver(claim, server ?? undefined)))
    yield* new ActionFailed({
      action: 'applyWorkload',
      retry: 'waiting',
      message: 'the volume of the stopped server is still being removed',
    });
});

/** The remaining claims of a release or a Postgres server, by a direct read. */
export const remainingClaims = Effect.fnUntraced(function* (database: CoreDatabase, reader: CacheReader) {
  const claims = [...(yield* releasedClaims(database, reader)), ...(yield* serverClaims(database))];
  return claims.map((one) => displayName(refOf(chartClaims, one)));
});

/** The cached claims of a MySQL database that are too small. */
export const smallClaims = (
  { metadata }: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
): readonly ClaimSeen[] =>
  spec.engine !== 'MySQL' || spec.placement === 'External'
    ? []
    : reader
        .indexed(chartClaims, instanceLabel, releaseOf(metadata.name, 'MySQL'))
        .filter((claim) => claim.metadata.namespace === namespaceOf(spec) && claim.status?.phase === 'Bound')
        .filter((claim) => isSmaller(sizeOf(claim), storageSizeOf(spec)));

/** Grows the claims themselves, because the template of a chart's claims cannot change. */
export const growClaims = Effect.fnUntraced(function* (
  database: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
) {
  const cluster = yield* Cluster;
  const patch = { spec: { resources: { requests: { storage: storageSizeOf(spec) } } } };
  yield* eachOf(smallClaims(database, spec, reader), (claim) =>
    cluster.patch(chartClaims, claim.metadata, patch, asSeen(claim)),
  );
});

/** The initial size of a chart's volumes, which its release still states. */
export function firstSizeOf({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): string {
  const text = reader.get(helmCharts, releaseOf(metadata.name, spec.engine))?.spec?.valuesContent ?? '';
  return sizeIn(text) || storageSizeOf(spec);
}

interface Values {
  readonly primary?: { readonly persistence?: { readonly size?: string } };
}

function sizeIn(text: string): string {
  try {
    return (JSON.parse(text) as Values | null)?.primary?.persistence?.size ?? '';
  } catch {
    return '';
  }
}
