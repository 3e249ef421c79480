import { Effect, Latch, type Scope } from 'effect';
import type { Job, Pod } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { serverlessChartName, serverlessHttpChartName, storageChartName } from '../../../rules/cluster/addons.ts';
import { pgOperatorName } from '../../../rules/database/charts.ts';
import { quantityOf } from '../../../rules/owned/quantity.ts';
import { isReadyPod } from '../../../rules/pods.ts';
import { type Caches, makeCaches } from '../../cache/caches.ts';
import {
  chartJobs,
  chartLabel,
  type ClaimSeen,
  definitions,
  helmCharts,
  postgresClusters,
} from '../../controllers/database/resources.ts';
import { pods, secrets } from '../../resources.ts';
import { asSeen, byLabel, Cluster, type Resource, type WriteError } from '../../services/cluster.ts';
import { randomPasswords } from '../../services/passwords.ts';
import { interceptorRouteDefinition, operatorDefinitions, scaledObjectDefinition } from './definitions.ts';
import {
  type Chart,
  generationMark,
  installJob,
  releaseObjects,
  type Server,
  serverObjects,
  simulatedLabel,
  superuserSecret,
} from './objects.ts';
import type { ServerImages } from './realServers.ts';
import type { AddonRule } from './rules.ts';
import { builtIn } from './builtIn.ts';
import { rulesIn, rulesMap } from './rulesMap.ts';

const simulated = { everywhere: true, labelSelector: simulatedLabel, indexes: [byLabel(simulatedLabel)] } as const;
const ours = {
  pods: { ...pods, cached: simulated },
  services: { ...builtIn('Service', 'services'), cached: simulated },
  secrets: { ...secrets, cached: simulated },
};
/** The definitions that charts brought which may go again. */
const brought: Resource = { ...definitions, cached: { labelSelector: simulatedLabel } };
const claims = builtIn('PersistentVolumeClaim', 'persistentvolumeclaims');
/** The claims of servers for Postgres; those of a chart are grown by its database. */
const serverClaims: Resource<ClaimSeen> = { ...claims, cached: simulated };
const made: Readonly<Record<string, Resource>> = {
  Pod: ours.pods,
  Service: ours.services,
  Secret: ours.secrets,
  PersistentVolumeClaim: claims,
};

type Acting = Effect.Effect<void, WriteError, Cluster>;

const isComplete = ({ status }: Job) =>
  status?.conditions?.some(({ type, status: is }) => type === 'Complete' && is === 'True') ?? false;

/** What somebody else did meanwhile is as good. */
const leniently = (acting: Acting): Effect.Effect<void, never, Cluster> => Effect.ignore(acting);
const create = (object: KubeObject): Acting =>
  Effect.flatMap(Cluster, (cluster) => Effect.asVoid(cluster.create(made[object.kind ?? ''] ?? claims, object)));
const remove = (resource: Resource, object: KubeObject): Acting =>
  Effect.flatMap(Cluster, (cluster) => cluster.remove(resource, object.metadata, asSeen(object)));

/**
 * Acts the helm controller and the operator for Postgres over the embedded cluster, as clients of its API. With images the
 * servers that they make really run.
 */
export const runAddons = Effect.fnUntraced(function* (
  images: ServerImages | null,
): Effect.fn.Return<never, never, Cluster | Scope.Scope> {
  const resources: readonly Resource[] = [
    helmCharts,
    chartJobs,
    definitions,
    brought,
    postgresClusters,
    rulesMap,
    serverClaims,
    ...Object.values(ours),
  ];
  const caches = yield* makeCaches(resources, {});
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
    ...servers.flatMap((server) => serverActs(server, { caches, images, rule: ruleFor(server.metadata.name) })),
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
  if (!job)
    return [
      Effect.flatMap(Cluster, (cluster) =>
        Effect.asVoid(cluster.create(chartJobs, installJob(chart, rule, images) as Job)),
      ),
    ];
  if (job.metadata.annotations?.[generationMark] !== String(generation)) return [remove(chartJobs, job)];
  if (!isComplete(job)) return [];
  const own = definitionsOf(name, images !== null);
  if (own === null) return missing(releaseObjects(chart, images), caches);
  // The last one is made last, so that the others stand once it does.
  const last = own.at(-1)?.metadata.name;
  return last === undefined || caches.get(definitions, last) || caches.get(brought, last)
    ? []
    : own.map((one) => Effect.flatMap(Cluster, (cluster) => Effect.asVoid(cluster.create(definitions, one))));
}

/**
 * The definitions that a chart brings; null for one that brings a server. Nobody wakes services whose pods are acted out, so
 * there the kinds by which they sleep are not served.
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

/** Creates what is not there; a claim is only known by its pod, which is made after it. */
function missing(wanted: readonly KubeObject[], caches: Caches): readonly Acting[] {
  const stands = ({ kind, metadata }: KubeObject) => {
    const resource = made[kind ?? ''];
    return resource?.cached !== undefined && caches.get(resource, metadata.name, metadata.namespace) !== undefined;
  };
  const lacking = wanted.filter((one) => !stands(one));
  const isOnlyClaims = lacking.every(({ kind }) => kind === 'PersistentVolumeClaim');
  return isOnlyClaims ? [] : lacking.map(create);
}

function serverActs(server: Server, { caches, images, rule }: Acted): readonly Acting[] {
  const { name, namespace = '', deletionTimestamp } = server.metadata;
  if (deletionTimestamp !== undefined) return [];
  if (rule.phase !== undefined) return told(server, { phase: rule.phase });
  if (rule.hang) return told(server, { phase: 'Setting up primary' });
  const secret = caches.get(ours.secrets, `${name}-superuser`, namespace);
  const wantsSecret = server.spec?.enableSuperuserAccess === true;
  const login: readonly Acting[] =
    wantsSecret && !secret
      ? [Effect.flatMap(randomPasswords.draw, (password) => create(superuserSecret(server, password)))]
      : !wantsSecret && secret
        ? [remove(ours.secrets, secret)]
        : [];
  return [
    ...missing(serverObjects(server, images), caches),
    ...login,
    ...grown(server, caches),
    ...told(server, statusOf(server, { caches, images })),
  ];
}

/** Volumes follow the size of their server upwards; the API refuses it where their class lets none grow. */
function grown(server: Server, caches: Caches): readonly Acting[] {
  const { name, namespace } = server.metadata;
  const size = server.spec?.storage?.size ?? '';
  const patch = { spec: { resources: { requests: { storage: size } } } };
  return caches
    .indexed(serverClaims, simulatedLabel, name)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .filter(({ spec }) => (quantityOf(spec?.resources?.requests?.storage) ?? 0n) < (quantityOf(size) ?? 0n))
    .map((claim) =>
      Effect.flatMap(Cluster, (cluster) =>
        Effect.asVoid(cluster.patch(serverClaims, claim.metadata, patch, asSeen(claim))),
      ),
    );
}

function statusOf({ metadata, spec }: Server, { caches, images }: Omit<Acted, 'rule'>) {
  // Of servers that really run there is one, whatever is asked for.
  const instances = images ? 1 : (spec?.instances ?? 1);
  const own: readonly Pod[] = caches.indexed(ours.pods, simulatedLabel, metadata.name);
  const readyInstances = own.filter((pod) => pod.metadata.namespace === metadata.namespace && isReadyPod(pod)).length;
  const phase = readyInstances >= instances ? 'Cluster in healthy state' : 'Setting up primary';
  return { phase, instances, readyInstances, currentPrimary: `${metadata.name}-1` };
}

function told(server: Server, status: Readonly<Record<string, unknown>>): readonly Acting[] {
  const before = server.status ?? {};
  if (Object.entries(status).every(([field, value]) => before[field] === value)) return [];
  const { name, namespace = '' } = server.metadata;
  return [
    Effect.flatMap(Cluster, (cluster) =>
      Effect.asVoid(cluster.patchStatus(postgresClusters, { name, namespace }, status)),
    ),
  ];
}

/** What is left of charts that are gone; what a server had goes with it. */
function leftActs(charts: readonly Chart[], servers: readonly Server[], caches: Caches): readonly Acting[] {
  const stands = new Set([...charts, ...servers].map(({ metadata }) => metadata.name));
  return [chartJobs, ours.pods, ours.services, brought].flatMap((resource: Resource) =>
    caches
      .list(resource)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .filter(({ metadata: { labels } }) => !stands.has(labels?.[simulatedLabel] ?? labels?.[chartLabel] ?? ''))
      .map((one) => remove(resource, one)),
  );
}
