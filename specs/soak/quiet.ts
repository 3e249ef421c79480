import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import {
  apps,
  builds,
  clusters,
  connections,
  consoleSessions,
  platformConfigs,
  projects,
} from '../../runtime/services/cluster/kinds.ts';
import { events, jobs, pods, secrets } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape, Resource } from '../../runtime/services/cluster/cluster.ts';
import type { Violation } from './violations.ts';

const still: readonly Resource[] = [
  builds,
  apps,
  connections,
  consoleSessions,
  projects,
  clusters,
  platformConfigs,
  jobs,
  pods,
  secrets,
  events,
];

type Versions = ReadonlyMap<string, KubeObject>;

async function versionsOf(cluster: ClusterShape): Promise<Versions> {
  const lists = await Promise.all(
    still.map(async (resource) => {
      const { items } = await Effect.runPromise(cluster.list<KubeObject>(resource));
      return items.map((item) => [`${resource.kind} ${item.metadata.name}`, item] as const);
    }),
  );
  return new Map(lists.flat());
}

/** Everything but the lease that was written while nothing happened. */
export async function writesWhileQuiet(cluster: ClusterShape, ms: number): Promise<readonly Violation[]> {
  const before = await versionsOf(cluster);
  await new Promise((go) => setTimeout(go, ms));
  const after = await versionsOf(cluster);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name)?.metadata.resourceVersion, after.get(name)?.metadata.resourceVersion];
    if (was === is) return [];
    const text = `${name} was written while nothing happened: version ${was ?? 'none'}, then ${is ?? 'none'}`;
    return [{ text, about: [name.split(' ')[1] ?? ''] }];
  });
}
