import { Context, Effect, Exit, Scope } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { type Caches, makeCaches } from '../../runtime/caches.ts';
import { valueAt, withValue } from '../../rules/owned/differences.ts';
import { builds } from '../../runtime/kinds.ts';
import type { Ensured } from '../../runtime/lifecycle.ts';
import { makeOwned, owned, type Owned, type OwnedObject } from '../../runtime/owned/owned.ts';
import { Cluster, type Resource } from '../../runtime/services/cluster.ts';
import { counted } from '../bench/counted.ts';
import { memoryCluster } from '../support/memoryCluster.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { handMade } from '../support/world.ts';

export const kinds: readonly Resource[] = [
  owned.namespaces,
  owned.deployments,
  owned.services,
  owned.claims,
  owned.configMaps,
  owned.secrets,
];

const pods = (image: string, more: object) => ({
  metadata: { labels: { run: 'web' } },
  spec: { containers: [{ name: 'main', image, resources: { requests: { cpu: '0.5' } } }] },
  ...more,
});

/** What a Deployment is made of here. */
export const deployment = (image = 'i:1', { labels = { run: 'web' }, replicas = 1 } = {}): OwnedObject => ({
  resource: owned.deployments,
  object: {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas, selector: { matchLabels: labels }, template: { ...pods(image, {}), metadata: { labels } } },
  } as KubeObject,
  fixed: [{ path: ['spec', 'selector'], then: 'replace' }],
});

export const namespace: OwnedObject = { resource: owned.namespaces, object: { metadata: { name: 'shop' } } };

export const configMap = (data: Readonly<Record<string, string>>): OwnedObject => ({
  resource: owned.configMaps,
  object: { metadata: { name: 'settings', namespace: 'shop' }, data } as KubeObject,
  whole: [['data']],
});

/** An owner, what it wants, and the cluster and caches that its objects are kept over. */
export async function ownedHouse(first: readonly OwnedObject[]) {
  const time = virtualTime();
  const memory = memoryCluster(() => new Date(time.now()).toISOString());
  const { cluster, writes, reads } = counted(memory);
  const scope = Scope.makeUnsafe();
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, scope)));
  const run = <A, E>(effect: Effect.Effect<A, E, Cluster | Scope.Scope>): Promise<A> =>
    time.wait(Effect.runPromise(Effect.provideContext(effect, context)));
  memory.put(builds, handMade('owner'));
  const seen: Caches = await run(makeCaches([builds, ...kinds], {}));
  await time.settle();
  let wanted = first;
  const keeping = () => makeOwned<CoreBuild>({ owners: builds, resources: kinds, wanted: () => wanted });
  let own: Owned<CoreBuild> = keeping();
  const owner = () => memory.all(builds).find(({ metadata }) => metadata.name === 'owner') ?? handMade('owner');

  /** What one run asked of the cluster. */
  const asking = async <A>(effect: Effect.Effect<A, unknown, Cluster>) => {
    const before = [writes.length, reads.length] as const;
    const ended = await run(effect as Effect.Effect<A, never, Cluster>);
    await time.settle();
    return { ended, calls: [...reads.slice(before[1]), ...writes.slice(before[0])] };
  };
  const move = async (name: 'ensure' | 'none') => {
    const ensure = name === 'none' ? own.none : own.ensure;
    const given = { object: owner(), seen, entered: false, move: () => Effect.die('nobody else moves') };
    const { ended, calls } = await asking(ensure.run(given) as Effect.Effect<Ensured, unknown, Cluster>);
    return { ensured: ended.is, ...(ended.is === 'waits' ? { afterMs: ended.afterMs } : {}), calls };
  };

  return {
    time,
    memory,
    seen,
    owner,
    writes,
    reads,
    run,
    want: (next: readonly OwnedObject[]) => void (wanted = next),
    /** A new process, which remembers nothing. */
    restart: () => void (own = keeping()),
    ensure: () => move('ensure'),
    none: () => move('none'),
    difference: () => own.difference(owner(), seen),
    remaining: () => run(own.remaining(owner()) as Effect.Effect<readonly string[], never, Cluster>),
    later: (ms: number) => time.moveTo(time.now() + ms),
    value: (resource: Resource, name: string, ...path: readonly string[]) =>
      valueAt(
        memory.all(resource).find(({ metadata }) => metadata.name === name),
        path,
      ),
    /** Another manager sets a field. */
    byHand: async (resource: Resource, name: string, path: readonly string[], value: unknown) => {
      const found = memory.all(resource).find(({ metadata }) => metadata.name === name);
      if (!found) throw new Error(`no ${resource.kind} ${name}`);
      memory.put(resource, withValue(found, path, value));
      await time.settle();
    },
    end: () => time.wait(Effect.runPromise(Scope.close(scope, Exit.void))),
  };
}
