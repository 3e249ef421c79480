import { Effect, Fiber, Stream } from 'effect';
import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { appOfActive, isActive } from '../../rules/activeDeployment/name.ts';
import { apps, clusters, deployments, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { draft } from '../support/service.ts';
import { follow } from './follow.ts';

/** Whatever carries out a deploy. */
export type DeployService = (app: CoreApp) => Effect.Effect<unknown, unknown>;

export const image = 'nginx:1.27';
const namespace = 'shop-production';
const inSystem = (name: string) => ({ name, namespace: systemNamespace });

/** What the Deployment controller tells once the one pod of the newest template runs. */
export const deploymentRuns = (cluster: ClusterShape, { metadata }: KubeObject) =>
  cluster.patchStatus(owned.deployments, metadata, {
    observedGeneration: metadata.generation ?? 1,
    replicas: 1,
    updatedReplicas: 1,
    availableReplicas: 1,
    readyReplicas: 1,
  });

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2027-01-01T00:00:00Z',
};

/** What a service needs besides what a cluster begins with: its own cluster and a project Ready, and its namespace. */
export const putProject = (cluster: ClusterShape) =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* cluster.patchStatus(clusters, { name: 'local' }, { conditions: [ready] });
      yield* cluster.create(namespaces, { metadata: { name: namespace } });
      yield* cluster.create(projects, {
        ...typeMeta(coreProject),
        metadata: inSystem('shop'),
        spec: { clusterRef: { name: 'local' }, environments: ['production'] },
      });
      yield* cluster.patchStatus(projects, { name: 'shop' }, { conditions: [ready] });
    }),
  );

const serviceDraft = (name: string): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: { ...inSystem(name), annotations: draft },
  spec: { project: 'shop', environment: 'production', source: { image }, deploy: { enabled: false } },
});

/** One that runs as it is written, as a person makes it by hand. */
export const serviceOpen = (name: string): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: inSystem(name),
  spec: { project: 'shop', environment: 'production', source: { image }, deploy: { enabled: true } },
});

/** The name of the record of its one deploy. */
export const recordNameOf = ({ metadata }: CoreApp): string => `${metadata.name}-first`;

/**
 * Creates services and times them until the last is Ready and its record tells so: each is deployed when it is a draft.
 */
export async function liveToReady(cluster: ClusterShape, count: number, deploy: DeployService): Promise<number> {
  const lives = Effect.runFork(
    Effect.all([allReady(cluster, count, deploy), allRun(cluster, count)], { concurrency: 2 }),
  );
  await new Promise((listening) => setTimeout(listening, 200));
  const start = performance.now();
  await Effect.runPromise(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => serviceDraft(`web-${index}`)),
      (one) => cluster.create(apps, one),
      { concurrency: 16, discard: true },
    ),
  );
  await Effect.runPromise(Fiber.join(lives));
  return count / ((performance.now() - start) / 1_000);
}

/** Deploys each draft once, until all services are Ready. */
function allReady(cluster: ClusterShape, count: number, deploy: DeployService) {
  const deployed = new Set<string>();
  const readied = new Set<string>();
  return follow(cluster, apps).pipe(
    Stream.mapEffect(
      (change) => {
        if (change.type === 'bookmark') return Effect.void;
        const {
          metadata: { name },
          status,
        } = change.object;
        if (status?.phase === 'Ready') readied.add(name);
        if (status?.phase !== 'Draft' || deployed.has(name)) return Effect.void;
        deployed.add(name);
        return deploy(change.object);
      },
      { concurrency: 16, unordered: true },
    ),
    Stream.takeUntil(() => readied.size >= count),
    Stream.runDrain,
  );
}

/** Plays the Deployment controller, until all records of what runs tell that it does. */
function allRun(cluster: ClusterShape, count: number) {
  const running = new Set<string>();
  return playedDeployments(cluster).pipe(
    Stream.takeUntil(({ metadata, status }) => {
      if (status?.phase === 'Available') running.add(metadata.name);
      return running.size >= count;
    }),
    Stream.runDrain,
  );
}

/** Plays the Deployment controller: pods run when the record of what runs tells that they start. */
export function playedDeployments(cluster: ClusterShape): Stream.Stream<CoreDeployment, unknown> {
  const started = new Set<string>();
  const run = (record: CoreDeployment) => {
    const app = appOfActive(record.metadata.name);
    if (record.status?.phase !== 'RollingOut' || started.has(app)) return Effect.succeed(record);
    started.add(app);
    return Effect.as(
      deploymentRuns(cluster, { kind: 'Deployment', metadata: { name: app, namespace, generation: 1 } }),
      record,
    );
  };
  return follow(cluster, deployments).pipe(
    Stream.flatMap((change) => Stream.fromIterable(change.type === 'bookmark' ? [] : [change.object])),
    Stream.filter(({ metadata }) => isActive(metadata.name)),
    Stream.mapEffect(run, { concurrency: 16, unordered: true }),
  );
}
