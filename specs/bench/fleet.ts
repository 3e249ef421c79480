import { Context, Effect, Logger } from 'effect';
import { coreProject } from '../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { isReady } from '../../rules/condition.ts';
import { everything } from '../../runtime/controllers/all.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { nameOf } from '../../runtime/contract/controller.ts';
import { apps, clusters, platformConfigs, projects } from '../../runtime/services/cluster/kinds.ts';
import type { Operator } from '../../runtime/operator.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Cluster, type ClusterShape, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeSender } from '../../runtime/services/webhooks/sender.ts';
import { median } from './measure.ts';
import { startProduct } from '../support/product.ts';
import { draft } from '../support/service.ts';
import { makeTestEnvironment, until } from '../support/environment.ts';

/** What the operator did meanwhile: its passes, and its processor time (ms), with that of its garbage collector. */
export interface Cost {
  readonly passes: number;
  readonly cpuMs: number;
}

export interface Fleet {
  readonly services: number;
  /** From its start until each object has had its first pass. */
  readonly start: Cost;
  /** In one minute in which nothing happens. */
  readonly rest: Cost;
  /** For each event, by its name: one of it. */
  readonly events: Readonly<Record<string, Cost>>;
}

const restMs = 60_000;
/** How often each event is caused, one after another. */
const times = 10;
const webhookId = 'aaaaaaaa';
const pause = (ms: number) => new Promise<void>((go) => setTimeout(go, ms));
const inSystem = (name: string) => ({ name, namespace: systemNamespace });

const project = {
  ...typeMeta(coreProject),
  metadata: inSystem('shop'),
  spec: {
    clusterRef: { name: 'local' },
    environments: ['production'],
    webhooks: [{ id: webhookId, url: 'https://hooks.example/core', disabled: false }],
  },
};

/** Every tenth runs; the others are drafts, as a person makes them. */
const service = (number: number): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: { ...inSystem(`web-${number}`), ...(number % 10 === 0 ? {} : { annotations: draft }) },
  spec: {
    project: 'shop',
    environment: 'production',
    source: { image: 'nginx:1.27' },
    deploy: { enabled: number % 10 === 0 },
  },
});

type Event = (cluster: ClusterShape, number: number) => Effect.Effect<unknown, unknown>;

const annotated =
  (resource: Resource, name: string): Event =>
  (cluster, number) =>
    cluster.patch(resource, { name }, { metadata: { annotations: { visited: String(number) } } });

/** Sets the message of a condition, of which nobody but the project reads anything. */
const projectStatus: Event = (cluster, number) =>
  Effect.flatMap(cluster.get(projects, { name: 'shop' }), ({ status }) => {
    const conditions = (status?.conditions ?? []).map((one) => ({ ...one, message: `told ${number}` }));
    return cluster.patchStatus(projects, { name: 'shop' }, { conditions });
  });

const delivery: Event = (cluster, number) => {
  const id = `evt_${number}`;
  const event = { id, type: 'test', body: '{}', deliveries: [{ webhookId, deliveryId: `delivery-${number}` }] };
  return cluster.patchStatus(projects, { name: 'shop' }, { webhookEvents: [event] });
};

const eventsOver = (node: string): Readonly<Record<string, Event>> => ({
  'a message in the status of their project': projectStatus,
  'an annotation of their cluster': annotated(clusters, 'local'),
  'an annotation of a node': annotated(clusterNodes, node),
  'an annotation of the platform': annotated(platformConfigs, 'platform'),
  'a Secret that nobody reads': (cluster, number) =>
    cluster.create(secrets, { metadata: inSystem(`unread-${number}`), data: {} }),
  'a webhook delivery': delivery,
});

/** An operator of all kinds over a cluster, which counts its passes. */
async function operatorOver(cluster: ClusterShape) {
  let passes = 0;
  let depth = () => 0;
  const environment = makeTestEnvironment();
  const hosting = { builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' } };
  const all = everything({ ...hosting, sender: makeSender('bench') });
  // A pass is counted once for each machine, so that the last machine of a kind counts its passes.
  const counts = new Set(all.controllers.map((one) => one.lifecycles.at(-1)?.name ?? nameOf(one)));
  const services = environment.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, {
      ...Context.get(environment.services, Metrics),
      passed: (machine) => void (passes += counts.has(machine) ? 1 : 0),
      queueDepth: (read) => void (depth = read),
    }),
  );
  const before = process.cpuUsage();
  const { operator, stop } = await startOperator(services, { ...all, workers: 4 }, { logger: Logger.layer([]) });
  await Effect.runPromise(operator.ready);
  return { operator, stop, passes: () => passes, depth: () => depth(), before };
}
type Running = Awaited<ReturnType<typeof operatorOver>>;

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Until nothing waited for a pass in half a second. */
async function settled({ depth }: Running): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet = depth() === 0 ? quiet + 1 : 0) await pause(50);
}

async function costOf(running: Running, work: () => Promise<unknown>): Promise<Cost> {
  const [passes, before] = [running.passes(), process.cpuUsage()];
  await work();
  return { passes: running.passes() - passes, cpuMs: cpuSince(before) };
}

/**
 * An event, several times: what one of it costs, until it is quiet. The median, because the comparison of a cache with
 * what is stored, which comes every ten minutes, may fall on one of them.
 */
async function costOfEvent(running: Running, cluster: ClusterShape, event: Event): Promise<Cost> {
  const costs: Cost[] = [];
  for (let number = 0; number < times; number++)
    costs.push(
      await costOf(running, async () => {
        await Effect.runPromise(event(cluster, number));
        await settled(running);
      }),
    );
  return {
    passes: costs.reduce((sum, { passes }) => sum + passes, 0) / times,
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  };
}

const readyServices = ({ caches }: Operator) => caches.list(apps).filter(isReady).length;

/** Three simulated nodes with room for all of them. */
const capacityFor = (services: number, cluster: ClusterShape) => {
  const names = ['local-1', 'local-2', 'local-3'];
  const nodes = names.map((name) => ({
    name,
    region: 'local',
    cpu: services,
    memory: `${services}Gi`,
    pods: services,
  }));
  return cluster.patch(owned.configMaps, inSystem('simulated-nodes'), { data: { nodes: JSON.stringify(nodes) } });
};

/** Services in one project on simulated nodes, nine tenths of them drafts; the operator is this process. */
export async function fleet(services: number): Promise<Fleet> {
  const product = await startProduct({ args: ['--role', 'cluster'] });
  const { cluster } = product;
  const running = await operatorOver(cluster);
  await Effect.runPromise(capacityFor(services, cluster));
  await Effect.runPromise(cluster.create(projects, project));
  await until(() => isReady(running.operator.caches.of(projects).get('shop')), 'the project is ready', 60_000);
  await Effect.runPromise(
    Effect.forEach(
      Array.from({ length: services }, (_, number) => service(number)),
      (one) => cluster.create(apps, one),
      { concurrency: 16, discard: true },
    ),
  );
  await until(() => readyServices(running.operator) >= services / 10, 'those that run are ready', 600_000);
  await running.stop();
  const figures = await over(cluster, services);
  await product.end('SIGTERM');
  product.clean();
  return figures;
}

/** The figures of a new leader over what stands. */
async function over(cluster: ClusterShape, services: number): Promise<Fleet> {
  const running = await operatorOver(cluster);
  await settled(running);
  const start = { passes: running.passes(), cpuMs: cpuSince(running.before) };
  const node = running.operator.caches.list<KubeObject>(clusterNodes)[0]?.metadata.name ?? '';
  const rest = await costOf(running, () => pause(restMs));
  const events: Record<string, Cost> = {};
  for (const [name, event] of Object.entries(eventsOver(node)))
    events[name] = await costOfEvent(running, cluster, event);
  await running.stop();
  return { services, start, rest, events };
}
