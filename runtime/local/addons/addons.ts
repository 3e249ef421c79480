import { Effect, Latch, type Scope } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { serverlessChartName, serverlessHttpChartName, storageChartName } from '../../../rules/cluster/addons.ts';
import { jobOutcome } from '../../../rules/jobOutcome.ts';
import { pgOperatorName } from '../../../rules/database/charts.ts';
import { type Caches, makeCaches } from '../../cache/caches.ts';
import { chartJobs, chartLabel, definitions } from '../../controllers/database/kinds.ts';
import { pods, secrets } from '../../services/cluster/resources.ts';
import { byLabel, Cluster, type Resource } from '../../services/cluster/cluster.ts';
import { interceptorRouteDefinition, operatorDefinitions, scaledObjectDefinition } from './definitions.ts';
import { type Chart, generationMark, installJob, releaseObjects, simulatedLabel } from './objects.ts';
import { type Acting, create, remove } from './postgres/acts.ts';
import type { Server } from './postgres/server.ts';
import { type PostgresResources, serverActs } from './postgres/serverActs.ts';
import type { ServerImages } from './realServers.ts';
import type { AddonRule } from './rules.ts';
import { builtIn } from './builtIn.ts';
import { rulesIn, rulesMap } from './rulesMap.ts';
import { type ClaimSeen, helmCharts, postgresClusters } from '../../owned/addonKinds.ts';
import { isDeleting } from '../../../rules/deleting.ts';

const simulated = { everywhere: true, labelSelector: simulatedLabel, indexes: [byLabel(simulatedLabel)] } as const;
const ours = {
  pods: { ...pods, cached: simulated },
  services: { ...builtIn('Service', 'services'), cached: simulated },
  secrets: { ...secrets, cached: simulated },
};
/** The definitions of charts, which may be removed. */
const removableDefinitions: Resource = { ...definitions, cached: { labelSelector: simulatedLabel } };
const claims = builtIn('PersistentVolumeClaim', 'persistentvolumeclaims');
/** The claims of servers for Postgres; those of a chart are resized by its database. */
const serverClaims: Resource<ClaimSeen> = { ...claims, cached: simulated };
const resources: PostgresResources = { ...ours, claims: serverClaims };
const made: Readonly<Record<string, Resource>> = {
  Pod: ours.pods,
  Service: ours.services,
  Secret: ours.secrets,
  PersistentVolumeClaim: claims,
};

/** Ignores failures: another writer may have done it. */
const leniently = (acting: Acting): Effect.Effect<void, never, Cluster> => Effect.ignore(acting);

/**
 * Simulates the helm controller and the Postgres operator on the embedded cluster, as API clients. With images the
 * servers really run.
 */
export const runAddons = Effect.fnUntraced(function* (
  images: ServerImages | null,
): Effect.fn.Return<never, never, Cluster | Scope.Scope> {
  const watched: readonly Resource[] = [
    helmCharts,
    chartJobs,
    definitions,
    removableDefinitions,
    postgresClusters,
    rulesMap,
    serverClaims,
    ...Object.values(ours),
  ];
  const caches = yield* makeCaches(watched, {});
  const changed = Latch.makeUnsafe(true);
  for (const cache of caches.all) cache.onChange(() => void changed.openUnsafe());
  yield* Effect.forEach(caches.all, ({ synced }) => synced, { discard: true });
  for (;;) {
    yield* changed.await;
    changed.closeUnsafe();
    for (const acting of actsOf(caches, images)) yield* leniently(acting);
  }
});

function actsOf(caches: Caches, images: ServerImages | null): readonly Acting[] {
  const ruleFor = rulesIn(caches);
  const charts: readonly Chart[] = caches.list(helmCharts);
  const servers: readonly Server[] = caches.list(postgresClusters);
  return [
    ...charts.flatMap((chart) => chartActs(chart, { caches, images, rule: ruleFor(chart.metadata.name) })),
    ...servers.flatMap((server) =>
      serverActs(server, { resources, caches, images, rule: ruleFor(server.metadata.name) }),
    ),
    ...leftActs(charts, servers, caches),
  ];
}

interface Acted {
  readonly caches: Caches;
  readonly images: ServerImages | null;
  readonly rule: Partial<AddonRule>;
}

function chartActs(chart: Chart, { caches, images, rule }: Acted): readonly Acting[] {
  const { name, generation = 0, deletionTimestamp } = chart.metadata;
  if (deletionTimestamp !== undefined) return [];
  const [job] = caches.indexed(chartJobs, chartLabel, name);
  if (!job) return [create(chartJobs, installJob(chart, rule, images))];
  if (job.metadata.annotations?.[generationMark] !== String(generation)) return [remove(chartJobs, job)];
  if (jobOutcome(job).is !== 'succeeded') return [];
  const own = definitionsOf(name, images !== null);
  if (own === null) return missing(releaseObjects(chart, images), caches);
  // The last one is created last, so that it implies the others.
  const last = own.at(-1)?.metadata.name;
  return last === undefined || caches.get(definitions, last) || caches.get(removableDefinitions, last)
    ? []
    : own.map((one) => create(definitions, one));
}

/**
 * The definitions of a chart; null for the chart of a server. On simulated nodes services are not woken, so the kinds
 * by which they sleep are not served.
 */
function definitionsOf(name: string, isReal: boolean): readonly KubeObject[] | null {
  const own = (one: KubeObject): KubeObject => ({
    ...one,
    metadata: { ...one.metadata, labels: { [simulatedLabel]: name } },
  });
  if (name === pgOperatorName) return operatorDefinitions;
  if (name === serverlessChartName) return isReal ? [own(scaledObjectDefinition)] : [];
  if (name === serverlessHttpChartName) return isReal ? [own(interceptorRouteDefinition)] : [];
  return name === storageChartName ? [] : null;
}

/** Creates missing objects; a claim precedes its pod. */
function missing(wanted: readonly KubeObject[], caches: Caches): readonly Acting[] {
  const exists = ({ kind, metadata }: KubeObject) => {
    const resource = made[kind ?? ''];
    return resource?.cached !== undefined && caches.get(resource, metadata.name, metadata.namespace) !== undefined;
  };
  const lacking = wanted.filter((one) => !exists(one));
  const isOnlyClaims = lacking.every(({ kind }) => kind === 'PersistentVolumeClaim');
  return isOnlyClaims ? [] : lacking.map((one) => create(made[one.kind ?? ''] ?? claims, one));
}

/** Deletes leftovers of removed charts and servers. */
function leftActs(charts: readonly Chart[], servers: readonly Server[], caches: Caches): readonly Acting[] {
  const exists = new Set([...charts, ...servers].map(({ metadata }) => metadata.name));
  return [chartJobs, ours.pods, ours.services, removableDefinitions].flatMap((resource: Resource) =>
    caches
      .list(resource)
      .filter((one) => !isDeleting(one))
      .filter(({ metadata: { labels } }) => !exists.has(labels?.[simulatedLabel] ?? labels?.[chartLabel] ?? ''))
      .map((one) => remove(resource, one)),
  );
}
