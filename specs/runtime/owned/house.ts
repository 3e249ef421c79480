import { Context, Effect, Exit, Scope } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { type Caches, makeCaches } from '../../../runtime/cache/caches.ts';
import { valueAt, withValue } from '../../../rules/owned/differences.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import type { Ensured } from '../../../runtime/contract/ensure.ts';
import { isInSync, makeOwned, owned, ownedKind, type Owned, type OwnedObject } from '../../../runtime/owned/owned.ts';
import {
  Unavailable,
  Cluster,
  type ClusterShape,
  Conflict,
  type Resource,
} from '../../../runtime/services/cluster/cluster.ts';
import { counted } from '../../bench/counted.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { userBuild } from '../../support/environment.ts';
import { readableDiff } from './readableDiff.ts';

export const autoscalers = ownedKind({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
});

const kinds: readonly Resource[] = [
  owned.namespaces,
  owned.deployments,
  owned.services,
  owned.claims,
  owned.configMaps,
  owned.secrets,
  autoscalers,
];

const pods = (image: string, more: object) => ({
  metadata: { labels: { run: 'web' } },
  spec: { containers: [{ name: 'main', image, resources: { requests: { cpu: '0.5' } } }] },
  ...more,
});

/** What happens to a write whose response is lost. */
type Losing = 'done' | 'not done' | 'conflict';

/** A Deployment as an owner wants it. */
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

export const base64 = (text: string) => Buffer.from(text).toString('base64');

export const secret = (password: string): OwnedObject => ({
  resource: owned.secrets,
  object: { metadata: { name: 'pass', namespace: 'shop' }, data: { password: base64(password) } } as KubeObject,
});

/** A `value` may be anything; only the API knows that this one is an amount. */
export const autoscaler = (value: string): OwnedObject => ({
  resource: autoscalers,
  object: {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value } } }],
    },
  } as KubeObject,
});

export const claim = (storage: string): OwnedObject => ({
  resource: owned.claims,
  object: {
    metadata: { name: 'data', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  } as KubeObject,
  fixed: [{ path: ['spec', 'resources', 'requests', 'storage'], then: 'grow' }],
});

/** An owner, what it wants, and the cluster and caches of its objects. */
export async function ownedHouse(first: readonly OwnedObject[]) {
  const time = virtualTime();
  const memory = memoryCluster(() => new Date(time.now()).toISOString());
  let lost: { readonly verb: 'apply'; readonly how: Losing } | null = null;
  const losing: ClusterShape = {
    ...memory,
    apply: (...given) => {
      if (lost === null) return memory.apply(...given);
      const { how } = lost;
      lost = null;
      if (how === 'conflict') return Effect.fail(new Conflict({ what: 'somebody wrote in between' }));
      const silent = Effect.fail(new Unavailable({ message: 'nothing heard' }));
      return how === 'done' ? Effect.andThen(memory.apply(...given), silent) : silent;
    },
  };
  const { cluster, writes, reads } = counted(losing);
  const scope = Scope.makeUnsafe();
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, scope)));
  const run = <A, E>(effect: Effect.Effect<A, E, Cluster | Scope.Scope>): Promise<A> =>
    time.wait(Effect.runPromise(Effect.provideContext(effect, context)));
  memory.put(builds, userBuild('owner'));
  const reader: Caches = await run(makeCaches([builds, ...kinds], {}));
  await time.settle();
  let wanted = first;
  const keeping = () => makeOwned<CoreBuild>({ owners: builds, resources: kinds, desired: () => wanted });
  let own: Owned<CoreBuild> = keeping();
  const owner = () => memory.all(builds).find(({ metadata }) => metadata.name === 'owner') ?? userBuild('owner');

  /** Records the calls of one run. */
  const asking = async <A>(effect: Effect.Effect<A, unknown, Cluster>) => {
    const before = [writes.length, reads.length] as const;
    const ended = await run(effect as Effect.Effect<A, never, Cluster>);
    await time.settle();
    return { ended, calls: [...reads.slice(before[1]), ...writes.slice(before[0])] };
  };
  const move = async (name: 'ensure' | 'none', object = owner()) => {
    const ensure = name === 'none' ? own.confirmDeleted : own.ensure;
    const nobody = () => Effect.die('there is nobody else');
    const given = { object, reader, entered: false, move: nobody, add: nobody };
    const running = ensure.run(given) as Effect.Effect<Ensured, { readonly _tag: string }, Cluster>;
    const { ended, calls } = await asking(
      Effect.match(running, { onSuccess: (is) => is, onFailure: ({ _tag }) => ({ is: _tag }) as const }),
    );
    return { ensured: ended.is, ...('afterMs' in ended ? { afterMs: ended.afterMs } : {}), calls };
  };

  return {
    time,
    memory,
    reader,
    owner,
    writes,
    reads,
    run,
    want: (next: readonly OwnedObject[]) => void (wanted = next),
    /** Starts a new process, which remembers nothing. */
    restart: () => void (own = keeping()),
    ensure: (object?: CoreBuild) => move('ensure', object),
    /** Makes the next apply fail in this way. */
    losing: (verb: 'apply', how: Losing | null) => void (lost = how && { verb, how }),
    /** Whether changes of owned objects are held back from the caches. */
    lag: (lagging: boolean) => {
      for (const resource of kinds) memory.lag(resource, lagging);
    },
    none: () => move('none'),
    diff: () => readableDiff(own.diff(owner(), reader)),
    isInSync: () => isInSync(own.diff(owner(), reader)),
    remaining: () => run(own.remaining(owner()) as Effect.Effect<readonly string[], never, Cluster>),
    later: (ms: number) => time.moveTo(time.now() + ms),
    value: (resource: Resource, name: string, ...path: readonly string[]) =>
      valueAt(
        memory.all(resource).find(({ metadata }) => metadata.name === name),
        path,
      ),
    /** Makes the API forget who manages what. */
    unmanaged: async (resource: Resource, name: string) => {
      const { namespace = '' } = memory.all(resource).find(({ metadata }) => metadata.name === name)?.metadata ?? {};
      await run(memory.patch(resource, { name, namespace }, { metadata: { managedFields: [{}] } }) as never);
      await time.settle();
    },
    /** Another manager sets a field. */
    edit: async (resource: Resource, name: string, path: readonly string[], value: unknown) => {
      const found = memory.all(resource).find(({ metadata }) => metadata.name === name);
      if (!found) throw new Error(`no ${resource.kind} ${name}`);
      memory.put(resource, withValue(found, path, value));
      await time.settle();
    },
    end: () => time.wait(Effect.runPromise(Scope.close(scope, Exit.void))),
  };
}
