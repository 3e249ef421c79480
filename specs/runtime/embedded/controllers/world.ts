import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { startControllers } from '../../../../runtime/embedded/controllers/controllers.ts';
import type { Deployment, ReplicaSet } from '../../../../runtime/embedded/controllers/shapes.ts';
import { isActive, isReady } from '../../../../runtime/embedded/nodes/readiness.ts';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import { condition, simulated } from '../nodes/simulated.ts';

export { condition };

const namespace = 'core-system';
const at = (bucket: string, name: string) => ({ bucket, namespace, name });
const cluster = (bucket: string, name: string) => ({ bucket, namespace: '', name });

/** Simulated nodes with the controllers, on one clock and one store. */
export async function controlled(data: Readonly<Record<string, string>> = {}) {
  const world = await simulated(data);
  const controllers = startControllers(world.store, { ...clusterOptions, mode: 'simulated', clock: world.clock });
  await world.clock.turn(0);
  const { store } = world;
  const listed = (bucket: string) => store.list(bucket, namespace);
  return {
    ...world,
    create: (bucket: string, name: string, object: object) => store.create(at(bucket, name), object),
    createInCluster: (bucket: string, name: string, object: object) => store.create(cluster(bucket, name), object),
    get: (bucket: string, name: string) => store.get(at(bucket, name)),
    inCluster: (bucket: string, name: string) => store.get(cluster(bucket, name)),
    update: (bucket: string, name: string, change: (old: Stored) => object) =>
      store.update(at(bucket, name), (old) => ({ ...old, ...change(old) })),
    deployment: (name = 'web') => store.get(at('apps/deployments', name)) as Deployment | undefined,
    sets: () => listed('apps/replicasets') as readonly ReplicaSet[],
    active: () => (listed('/pods') as readonly Pod[]).filter(isActive),
    ready: () => (listed('/pods') as readonly Pod[]).filter((pod) => isActive(pod) && isReady(pod)),
    listed,
    deploy: (spec: object = {}, name = 'web') =>
      store.create(at('apps/deployments', name), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { labels: { app: name } },
        spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: template(`${name}:1`, name), ...spec },
      }),
    setSpec: (spec: object, name = 'web') =>
      store.update(at('apps/deployments', name), (old) => ({ ...old, spec: { ...(old.spec as object), ...spec } })),
    async end() {
      await controllers.stop();
      await world.stop();
    },
  };
}

export type Controlled = Awaited<ReturnType<typeof controlled>>;

export const template = (image: string, app = 'web') => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image, ports: [{ name: 'http', containerPort: 8080 }] }] },
});

/** The reason of a condition, such as `True NewReplicaSetAvailable`. */
export function verdict(object: Stored | undefined, type: string): string {
  const conditions = (object?.status as Deployment['status'])?.conditions ?? [];
  const found = conditions.find((one) => one.type === type);
  return found ? `${found.status} ${found.reason ?? ''}` : '';
}
